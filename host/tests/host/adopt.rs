//! A server dies, another takes over.

use host::Goodbye;

use crate::fake;
use crate::support::*;

#[test]
fn a_new_server_finds_the_panes_their_bytes_and_the_state() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.state().write(b"model").unwrap();
    let mut request = shell(9, "echo one; read line; echo got $line; read line");
    request.metadata = b"about it".to_vec();
    let mut pane = client.spawn(request).unwrap();
    read_until(&mut pane, "one\r\n");
    let pid = pane.pid;
    let tty = pane.tty.clone();
    // A crash as the host sees it: the connection ends without a goodbye.
    drop(client);
    drop(pane);
    let mut client = rig.connect();
    let adoption = client.adopt().unwrap();
    assert_eq!(adoption.state.as_deref(), Some(b"model".as_slice()));
    let [pane] = <[_; 1]>::try_from(adoption.panes).unwrap();
    assert_eq!((pane.id, pane.pid, &pane.tty, pane.exited), (9, pid, &tty, None));
    assert_eq!((pane.size, pane.metadata.as_slice()), (SIZE, b"about it".as_slice()));
    let mut memory = pane.memory.unwrap();
    assert_eq!(memory.recover().unwrap(), None);
    assert_eq!(memory.journal().since(0).parts[0], b"one\r\n");
    rustix::io::write(&pane.master, b"two\n").unwrap();
    let mut pane = host::Spawned { pid, tty, master: pane.master, memory };
    assert_eq!(read_until(&mut pane, "got two\r\n"), "one\r\ntwo\r\ngot two\r\n");
}

#[test]
fn nothing_is_missing_or_doubled_when_servers_are_killed_fifty_times_in_a_flood() {
    let mut rig = Rig::new();
    rig.options.restart_limit = 1000;
    let mut client = rig.start();
    client.record(fake::command(&rig.directory)).unwrap();
    // Until the last kill the numbers go on; then each says where it stopped.
    let stop = rig.directory.join("stop");
    let count =
        "n=0; while [ ! -e STOP ]; do seq $n $((n + 19999)); n=$((n + 20000)); done; echo $n > COUNT; sleep 1000";
    for id in 1..=3u128 {
        let count = count.replace("STOP", &stop.to_string_lossy());
        let count = count.replace("COUNT", &rig.directory.join(format!("count{id}")).to_string_lossy());
        client.spawn(shell(id, &count)).unwrap();
    }
    client.goodbye(Goodbye::Handover { start: true }).unwrap();
    let mut last = 0;
    for round in 0..50u64 {
        let mut pid = 0;
        wait_until("the next server is up", || {
            pid = fake::pid(&rig.directory).unwrap_or(0);
            pid != last && pid != 0
        });
        last = pid;
        std::thread::sleep(std::time::Duration::from_micros(round * 379 % 20_000));
        kill_9(pid);
    }
    std::fs::write(&stop, "").unwrap();
    let count = |id| Some(std::fs::read_to_string(rig.directory.join(format!("count{id}"))).ok()?.trim().to_owned());
    wait_until("all has been seen", || {
        let counts: Option<Vec<String>> = (1..=3).map(count).collect();
        let Some(counts) = counts else { return false };
        let wanted = format!("{{1: ({}, 0), 2: ({}, 0), 3: ({}, 0)}}", counts[0], counts[1], counts[2]);
        fake::seen(&rig.directory) == Some(wanted)
    });
    kill_9(fake::pid(&rig.directory).unwrap());
}
