//! Where formats are expanded: for a client, a pane, the command at hand, a subscription.

use super::*;
use crate::monitor::Watched;

/// How a format is expanded.
#[derive(Clone, Copy, Default)]
struct How {
    /// Through strftime first.
    dated: bool,
    /// Who runs `#()` in it; nobody may for `None`.
    jobs: Option<Asked>,
    /// It is part of what is drawn again and again.
    status: bool,
}

impl Mux {
    /// Expand a format at a place.
    pub fn expand_at(
        &self,
        client: Option<ClientId>,
        found: Found,
        text: &str,
        extra: &[(String, String)],
        world: &dyn World,
        now: Now,
    ) -> String {
        self.expand_with(client, found, text, extra, world, now, How::default())
    }

    /// The same, through strftime first; shell commands run for a client.
    #[allow(clippy::too_many_arguments)] // See `expand_with`.
    pub fn expand_time_at(
        &self,
        client: Option<ClientId>,
        runs_for: Option<ClientId>,
        found: Found,
        text: &str,
        extra: &[(String, String)],
        world: &dyn World,
        now: Now,
    ) -> String {
        let asked = Asked { client: runs_for, ..Asked::default() };
        let how = How { dated: true, jobs: Some(asked), status: false };
        self.expand_with(client, found, text, extra, world, now, how)
    }

    /// Expand a format as the status line shows it: with times, and shell commands run in the background.
    pub fn expand_status(&self, client: ClientId, text: &str, world: &dyn World, now: Now) -> String {
        let found = target::from_client(self, Some(client), false).unwrap_or_default();
        self.expand_drawn(client, found, Tag::None, text, world, now)
    }

    /// The same for the status line of a pane, in its border.
    pub fn expand_border(&self, client: ClientId, found: Found, text: &str, world: &dyn World, now: Now) -> String {
        let tag = found.pane.map_or(Tag::None, Tag::Pane);
        self.expand_drawn(client, found, tag, text, world, now)
    }

    fn expand_drawn(
        &self,
        client: ClientId,
        found: Found,
        tag: Tag,
        text: &str,
        world: &dyn World,
        now: Now,
    ) -> String {
        let refreshes = self.clients.get(&client).map_or(0, |client| client.refreshes);
        let asked = Asked { client: Some(client), tag, drawn: true, refreshes };
        let how = How { dated: true, jobs: Some(asked), status: true };
        self.expand_with(Some(client), found, text, &[], world, now, how)
    }

    #[allow(clippy::too_many_arguments)] // The place, the text and the outside: nothing less tells where a format stands.
    fn expand_with(
        &self,
        client: Option<ClientId>,
        found: Found,
        text: &str,
        extra: &[(String, String)],
        world: &dyn World,
        now: Now,
        how: How,
    ) -> String {
        if !text.contains(['#', '%']) {
            return text.to_owned();
        }
        let at = At { mux: self, world, now, client, found, extra, jobs: how.jobs, status: how.status };
        let template = self.formats.get(text);
        if how.dated { format::expand_time(&template, &at) } else { format::expand(&template, &at) }
    }

    /// Expand a format for the command at hand.
    pub(crate) fn expand_in(&self, context: &Context<'_>, found: Found, text: &str) -> String {
        let extra = self.format_values(context, text);
        let client = context.target_client.or(context.client);
        self.expand_at(client, found, text, &extra, context.world, context.now)
    }

    /// The same with `%H` and the like as the time of day.
    pub(crate) fn expand_time_in(&self, context: &Context<'_>, found: Found, text: &str) -> String {
        let extra = self.format_values(context, text);
        let client = context.target_client.or(context.client);
        let how = How { dated: true, ..How::default() };
        self.expand_with(client, found, text, &extra, context.world, context.now, how)
    }

    /// Expand a format where nothing stands: in configuration files.
    pub(crate) fn expand_plain(&self, text: &str, world: &dyn World) -> String {
        let found = target::best(self, false).unwrap_or_default();
        let at = At {
            mux: self,
            world,
            now: self.configured_at(),
            client: None,
            found,
            extra: &[],
            jobs: None,
            status: false,
        };
        format::expand(&self.formats.get(text), &at)
    }

    /// Expand a format for a pane.
    pub(crate) fn expand_for_pane(&self, text: &str, pane: PaneId, world: &dyn World, now: Now) -> String {
        let found = target::from_pane(self, pane).unwrap_or_default();
        let tag = found.window.map_or(Tag::None, Tag::Window);
        let how = How { jobs: Some(Asked { tag, ..Asked::default() }), ..How::default() };
        self.expand_with(None, found, text, &[], world, now, how)
    }

    /// Values that the command at hand adds to formats: its name, its hook's, the mouse's.
    /// What costs more is worked out only for a `text` that mentions it.
    pub(crate) fn format_values(&self, context: &Context<'_>, text: &str) -> Vec<(String, String)> {
        let mut values = context.state.formats.clone();
        if let Some(row) = context.row {
            values.push(("command".to_owned(), row.signature.name.to_owned()));
        }
        if let Some(key) = context.state.key {
            values.push(("key".to_owned(), keymap::key_name(key)));
        }
        if let Some(mouse) = &context.state.mouse_event {
            let client = context.client.or(context.target_client);
            values.extend(self.mouse_values(client, context.state.mouse, mouse, text));
        }
        values
    }

    /// `NAME=value` of every variable that has one at a place.
    pub(crate) fn all_variables(
        &self,
        client: Option<ClientId>,
        found: Found,
        world: &dyn World,
        now: Now,
    ) -> Vec<String> {
        let at = At { mux: self, world, now, client, found, extra: &[], jobs: None, status: false };
        VARIABLES.iter().filter_map(|variable| Some(format!("{}={}", variable.name, (variable.get)(&at)?))).collect()
    }

    /// The client used last of those that show a session, of all when none does.
    pub(crate) fn best_client(&self, session: Option<crate::SessionId>) -> Option<ClientId> {
        let attached = |client: &&Client| client.session.is_some() && !client.leaving;
        let own = self.clients_of(session?).max_by_key(|client| client.activity);
        let any = || self.clients.values().filter(attached).max_by_key(|client| client.activity);
        own.or_else(any).map(|client| client.id)
    }

    /// Look at the subscriptions of control clients; tell what they see.
    pub(crate) fn check_subscriptions(&mut self, now: Now, world: &dyn World) {
        let mut events = Vec::new();
        let mut any = false;
        for client in self.clients.values().filter(|client| client.session.is_some() && !client.leaving) {
            for (name, what, format) in &client.subscriptions {
                any = true;
                for (place, found) in self.subscribed(client, what) {
                    let value = self.expand_at(Some(client.id), found, format, &[], world, now);
                    events.push(Event::Subscription { client: client.id, name: name.clone(), place, value });
                }
            }
        }
        for event in events {
            self.event(event);
        }
        if any {
            self.timers.set(crate::timer::Timer::Subscriptions, now.instant + Duration::from_secs(1));
        }
    }

    /// The places that a subscription covers, and how each is told.
    fn subscribed(&self, client: &Client, what: &str) -> Vec<(String, Found)> {
        let Some(session) = client.session else { return Vec::new() };
        let watched = Watched::parse(what);
        let pane = matches!(watched, Watched::Pane(_) | Watched::AllPanes);
        let tell = |found: &Found| {
            let show = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
            let place = Some(found).filter(|_| watched != Watched::Session);
            let window = place.and_then(|found| found.window).map(|id| id.to_string());
            let index = place.and_then(|found| found.index).map(|index| index.to_string());
            let pane = place.and_then(|found| found.pane).filter(|_| pane).map(|id| id.to_string());
            format!("{session} {} {} {}", show(window), show(index), show(pane))
        };
        self.watched_places(session, watched).into_iter().map(|found| (tell(&found), found)).collect()
    }

    /// The time of the configuration, for conditions in files that are read outside of a turn.
    fn configured_at(&self) -> Now {
        self.last_turn.unwrap_or_else(|| unreachable!("files are read in a turn"))
    }
}
