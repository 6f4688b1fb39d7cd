//! The default bindings that tmux has after 3.7, as data.

use super::DefaultBinding;
use super::tmux::key;

/// The items of the menu where no pane is.
macro_rules! empty_menu {
    () => {
        r#""New Pane" p { new-pane ; join-pane } "New Window" w { new-window }"#
    };
}

/// A size for the pane of a binding, before it is moved.
macro_rules! size {
    ($width:literal, $height:literal) => {
        concat!("resize-pane -x \"", $width, "\" -y \"", $height, "\" ; ")
    };
}

/// The items of a menu of places, with what is to be done before the move to a corner, to a row and to a column.
macro_rules! places {
    ($corner:expr, $row:expr, $column:expr) => {
        concat!(
            r#""Top Left" 1 { "#,
            $corner,
            r#"move-pane -P top-left } "Top Right" 2 { "#,
            $corner,
            r#"move-pane -P top-right } "Bottom Left" 3 { "#,
            $corner,
            r#"move-pane -P bottom-left } "Bottom Right" 4 { "#,
            $corner,
            "move-pane -P bottom-right } '' Top t { ",
            $row,
            "move-pane -P top-centre } Bottom b { ",
            $row,
            "move-pane -P bottom-centre } Left l { ",
            $column,
            "move-pane -P centre-left } Right r { ",
            $column,
            "move-pane -P centre-right }",
        )
    };
}

/// What tmux has after 3.7: panes that float are drawn up and moved with the mouse or by keys, and where no
/// pane is there is a menu.
pub(super) const BINDINGS: &[DefaultBinding] = &[
    key("root", "C-MouseDrag1Pane", "new-pane -M", ""),
    key("root", "C-MouseDrag1Empty", "new-pane -M", ""),
    key("root", "M-MouseDrag1Pane", "move-pane -M", ""),
    key("root", "M-MouseDrag1Border", "move-pane -M", ""),
    key(
        "root",
        "MouseDown3Empty",
        concat!(r##"display-menu -T "#[align=centre]#{window_index}:#{window_name}" -t = -x M -y M "##, empty_menu!()),
        "",
    ),
    key(
        "root",
        "M-MouseDown3Empty",
        concat!(r##"display-menu -T "#[align=centre]#{window_index}:#{window_name}" -t = -x M -y M "##, empty_menu!()),
        "",
    ),
    key("prefix", "g", "switch-client -T move", "Place a floating pane by the next key"),
    key(
        "move",
        ",",
        concat!(
            r##"if-shell -F "#{pane_floating_flag}" { display-menu -T "#[align=centre]Move" -x P -y P Centre c { move-pane -P centre } '' "##,
            places!("", "", ""),
            " }"
        ),
        "Ask where to move the pane",
    ),
    key(
        "move",
        ".",
        concat!(
            r##"if-shell -F "#{pane_floating_flag}" { display-menu -T "#[align=centre]Move & Resize" -x P -y P Fill 0 { "##,
            size!("100%", "100%"),
            "move-pane -P top-left } '' ",
            places!(size!("50%", "50%"), size!("100%", "50%"), size!("50%", "100%")),
            " }"
        ),
        "Ask where to move the pane, with a size to fit",
    ),
    key("move", "0", concat!(size!("100%", "100%"), "move-pane -P top-left"), "Let the pane fill the window"),
    key("move", "1", "move-pane -P top-left", "Move the pane to the top left corner"),
    key("move", "2", "move-pane -P top-right", "Move the pane to the top right corner"),
    key("move", "3", "move-pane -P bottom-left", "Move the pane to the bottom left corner"),
    key("move", "4", "move-pane -P bottom-right", "Move the pane to the bottom right corner"),
    key("move", "Up", "move-pane -P top-centre", "Move the pane to the top"),
    key("move", "Down", "move-pane -P bottom-centre", "Move the pane to the bottom"),
    key("move", "Left", "move-pane -P centre-left", "Move the pane to the left"),
    key("move", "Right", "move-pane -P centre-right", "Move the pane to the right"),
    key("move", "M-1", concat!(size!("50%", "50%"), "move-pane -P top-left"), "Let the pane fill the top left quarter"),
    key(
        "move",
        "M-2",
        concat!(size!("50%", "50%"), "move-pane -P top-right"),
        "Let the pane fill the top right quarter",
    ),
    key(
        "move",
        "M-3",
        concat!(size!("50%", "50%"), "move-pane -P bottom-left"),
        "Let the pane fill the bottom left quarter",
    ),
    key(
        "move",
        "M-4",
        concat!(size!("50%", "50%"), "move-pane -P bottom-right"),
        "Let the pane fill the bottom right quarter",
    ),
    key("move", "M-Up", concat!(size!("100%", "50%"), "move-pane -P top-centre"), "Let the pane fill the upper half"),
    key(
        "move",
        "M-Down",
        concat!(size!("100%", "50%"), "move-pane -P bottom-centre"),
        "Let the pane fill the lower half",
    ),
    key("move", "M-Left", concat!(size!("50%", "100%"), "move-pane -P centre-left"), "Let the pane fill the left half"),
    key(
        "move",
        "M-Right",
        concat!(size!("50%", "100%"), "move-pane -P centre-right"),
        "Let the pane fill the right half",
    ),
];
