//! What panes that float are besides their places, which the layout's text has: kept apart, as records that were written
//! before there were any have nothing of it.

use mux::{Mux, PaneId, Window, WindowId};
use serde::{Deserialize, Serialize};

/// What is particular about a pane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverRecord {
    /// The pane's lasting id.
    pub uuid: u128,
    /// It stays in sight over a zoomed pane.
    pub over_zoom: bool,
    /// While it is modal all keys go to it.
    pub takes_all_keys: bool,
    /// While it is modal a click beside it closes it.
    pub closes_on_click: bool,
    /// It is the modal pane of its window.
    pub modal: bool,
    /// It was the active pane before that one came.
    pub before_modal: bool,
    /// It is the zoomed pane of its window.
    pub zoomed: bool,
}

impl OverRecord {
    fn of(mux: &Mux, window: &Window, id: PaneId) -> Option<OverRecord> {
        let pane = mux.panes.get(&id)?;
        let empty = OverRecord { uuid: pane.uuid, ..OverRecord::default() };
        let record = OverRecord {
            over_zoom: pane.over_zoom,
            takes_all_keys: pane.takes_all_keys,
            closes_on_click: pane.closes_on_click,
            modal: window.modal == Some(id),
            before_modal: window.modal_before == Some(id),
            // Without one that floats over it the zoomed pane is the active one.
            zoomed: window.zoomed_pane() == Some(id) && window.active != id,
            ..empty
        };
        Some(record).filter(|record| *record != empty)
    }
}

/// What is particular about the panes of windows.
pub(crate) fn records<'a>(mux: &'a Mux, windows: impl Iterator<Item = &'a Window> + 'a) -> Vec<OverRecord> {
    windows.flat_map(|window| window.panes().iter().filter_map(|pane| OverRecord::of(mux, window, *pane))).collect()
}

/// Puts it back, when the windows are there.
pub(crate) fn put_back(mux: &mut Mux, records: &[OverRecord]) {
    let mut windows: Vec<WindowId> = Vec::new();
    for record in records {
        let Some(pane) = mux.panes.values_mut().find(|pane| pane.uuid == record.uuid) else { continue };
        pane.over_zoom = record.over_zoom;
        pane.takes_all_keys = record.takes_all_keys;
        pane.closes_on_click = record.closes_on_click;
        let (id, window) = (pane.id, pane.window);
        let Some(window) = mux.windows.get_mut(&window).filter(|window| window.layout.contains(id)) else { continue };
        if record.modal && window.active == id && window.layout.is_floating(id) {
            window.modal = Some(id);
        }
        if record.before_modal {
            window.modal_before = Some(id);
        }
        windows.push(window.id);
    }
    let zoomed = |id: &PaneId| {
        let uuid = mux.panes.get(id).map(|pane| pane.uuid);
        records.iter().any(|record| record.zoomed && Some(record.uuid) == uuid)
    };
    let zooms: Vec<(WindowId, PaneId)> = windows
        .iter()
        .filter_map(|id| {
            let window = mux.windows.get(id).filter(|window| window.zoomed())?;
            Some((*id, window.panes().iter().copied().find(zoomed).unwrap_or(window.active)))
        })
        .collect();
    let kept: Vec<PaneId> = mux.panes.values().filter(|pane| pane.over_zoom).map(|pane| pane.id).collect();
    for (id, pane) in zooms {
        if let Some(window) = mux.windows.get_mut(&id) {
            window.zoom = None;
            // A pane that is hidden can't be the active one.
            let pane = if kept.contains(&window.active) { pane } else { window.active };
            window.zoom_in(pane, |other| kept.contains(&other));
        }
    }
}
