//! Children: how they start, what they find, how they end.

use host::{Exit, HostError, Notice, SpawnError};

use crate::support::*;

#[test]
fn a_child_runs_in_its_terminal_and_its_output_is_in_the_journal() {
    let rig = Rig::new();
    let mut client = rig.start();
    let line = "tty; stty size; echo argv0=$0; ls /proc/self/fd | tr '\\n' ' '; cat /proc/$$/status | grep -E 'SigBlk|SigIgn'; \
                ps -o pid=,sid=,tpgid= -p $$; echo end";
    let mut pane = client.spawn(shell(1, line)).unwrap();
    let text = read_until(&mut pane, "end\r\n");
    assert!(text.starts_with(&format!("{}\r\n24 80\r\nargv0=sh\r\n0 1 2 3 ", pane.tty)), "{text}");
    assert!(text.contains("SigBlk:\t0000000000000000"), "{text}");
    assert!(text.contains("SigIgn:\t0000000000000000"), "{text}");
    let ids: Vec<&str> = text.lines().rev().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(ids, [pane.pid.to_string().as_str(); 3], "{text}");
}

#[test]
fn an_exit_is_told_with_its_code_or_signal() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.spawn(shell(1, "exit 7")).unwrap();
    client.spawn(shell(2, "kill -KILL $$")).unwrap();
    let exit = |id| move |it: &Notice| matches!(it, Notice::Exited { id: of, .. } if *of == id);
    let mut notices = Vec::new();
    wait_until("both have ended", || {
        wait_input(client.fd());
        notices.extend(client.poll());
        notices.len() == 2
    });
    assert_eq!(notices.iter().find(|it| exit(1)(it)), Some(&Notice::Exited { id: 1, exit: Exit::Code(7) }));
    assert_eq!(notices.iter().find(|it| exit(2)(it)), Some(&Notice::Exited { id: 2, exit: Exit::Signal(9) }));
}

#[test]
fn a_program_that_is_not_there_is_an_error_with_words() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut request = shell(1, "");
    request.command.program = b"/no/such/program".to_vec();
    let error = client.spawn(request).unwrap_err();
    assert!(matches!(error, HostError::Spawn(SpawnError::Exec { .. })));
    assert_eq!(error.to_string(), "/no/such/program: No such file or directory");
    client.spawn(shell(1, "true")).unwrap();
    let error = client.spawn(shell(1, "true")).unwrap_err();
    assert_eq!(error.to_string(), "pane id in use");
}

#[test]
fn control_characters_directory_and_limits_are_as_asked() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut request = shell(1, "stty -a | tr ';' '\\n' | grep -E 'erase|intr|iutf8'; pwd; ulimit -n; umask; echo end");
    request.erase = Some(0x08);
    request.control_chars = vec![0x01];
    request.command.cwd = b"/no/such/directory".to_vec();
    request.command.env.push((b"HOME".to_vec(), b"/usr".to_vec()));
    let mut pane = client.spawn(request).unwrap();
    let text = read_until(&mut pane, "end\r\n");
    assert!(text.contains("intr = ^A") && text.contains(" erase = ^H") && text.contains(" iutf8"), "{text}");
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let umask = status.lines().find_map(|line| line.strip_prefix("Umask:\t")).unwrap();
    assert!(text.contains(&format!("/usr\r\n{files}\r\n{umask}\r\n")), "{text}");
}

#[test]
fn a_host_with_idle_panes_never_wakes_up_and_stays_small() {
    let rig = Rig::new();
    let mut client = rig.start();
    let memory = |host: i32| {
        let status = std::fs::read_to_string(format!("/proc/{host}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
    };
    let mut panes = vec![client.spawn(shell(0, "exec sleep 1000")).unwrap()];
    let host = parent_of(panes[0].pid);
    let before = memory(host);
    for id in 1..=100 {
        panes.push(client.spawn(shell(id, "exec sleep 1000")).unwrap());
    }
    let used = memory(host).saturating_sub(before);
    assert!(used <= 100 * 656, "{used} bytes for 100 panes");
    let switches = || {
        let status = std::fs::read_to_string(format!("/proc/{host}/status")).unwrap();
        let lines = status.lines().filter(|line| line.contains("ctxt_switches"));
        lines.map(|line| line.rsplit('\t').next().unwrap().parse::<u64>().unwrap()).sum::<u64>()
    };
    // The host is idle from the moment the count stands still; then it has to stay so.
    let mut last = 0;
    wait_until("the host is idle", || std::mem::replace(&mut last, switches()) == switches());
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(switches(), last);
}
