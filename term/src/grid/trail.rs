//! The widths a history has had. A line that was laid out for one of them is wrapped for each that came after it, as
//! tmux wraps its history at every resize: where wide characters and tabs end up depends on all of them.

/// How many of the newest widths are remembered. Of a line older than those only the text is as in tmux.
pub(crate) const KEPT: usize = 4;

/// What a line was laid out for: a width, and which of all the widths so far that was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) cols: u16,
    pub(crate) generation: u64,
}

/// The newest widths, the present one last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Trail {
    present: Layout,
    widths: Vec<u16>,
}

impl Trail {
    pub(crate) fn new(cols: u16) -> Trail {
        Trail { present: Layout { cols, generation: 0 }, widths: vec![cols] }
    }

    /// The trail that was kept: at least one width.
    pub(crate) fn restored(generation: u64, mut widths: Vec<u16>) -> Trail {
        widths.drain(..widths.len().saturating_sub(KEPT));
        let cols = widths.last().copied().unwrap_or(1);
        Trail { present: Layout { cols, generation }, widths }
    }

    pub(crate) fn push(&mut self, cols: u16) {
        if self.widths.len() == KEPT {
            self.widths.remove(0);
        }
        self.widths.push(cols);
        self.present = Layout { cols, generation: self.present.generation.saturating_add(1) };
    }

    /// The present layout.
    #[inline]
    pub(crate) fn layout(&self) -> Layout {
        self.present
    }

    /// The widths kept.
    pub(crate) fn widths(&self) -> &[u16] {
        &self.widths
    }

    /// How many widths there were since `layout`. A layout that cannot be counts as the one before the present.
    pub(crate) fn steps(&self, layout: Layout) -> usize {
        let present = self.layout();
        match present.generation.checked_sub(layout.generation) {
            Some(0) | None => usize::from(layout.cols != present.cols),
            Some(steps) => usize::try_from(steps).unwrap_or(usize::MAX),
        }
    }

    /// The widths since `layout`, at most the newest `depth`.
    pub(crate) fn since(&self, layout: Layout, depth: usize) -> &[u16] {
        newest(&self.widths, self.steps(layout).min(depth))
    }

    /// The same as it was before the present width.
    pub(crate) fn before(&self, layout: Layout, depth: usize) -> &[u16] {
        let (_, earlier) = self.widths.split_last().unwrap_or((&0, &[]));
        newest(earlier, self.steps(layout).saturating_sub(1).min(depth))
    }
}

fn newest(widths: &[u16], count: usize) -> &[u16] {
    &widths[widths.len().saturating_sub(count)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_has_the_widths_after_it() {
        let mut trail = Trail::new(80);
        let first = trail.layout();
        assert!(trail.since(first, KEPT).is_empty());
        trail.push(61);
        trail.push(80);
        assert_eq!(trail.since(first, KEPT), [61, 80]);
        assert_eq!(trail.before(first, KEPT), [61]);
        assert_eq!(trail.since(first, 1), [80]);
        assert_eq!(trail.since(Layout { cols: 61, generation: 1 }, KEPT), [80]);
        assert_eq!(trail.since(Layout { cols: 70, generation: 9 }, KEPT), [80]);
        for cols in 1..100 {
            trail.push(cols);
        }
        assert_eq!(trail.since(first, KEPT), [96, 97, 98, 99]);
        assert_eq!(trail.before(first, KEPT), [96, 97, 98]);
    }
}
