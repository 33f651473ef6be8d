// Sharing a part of a vault: the rules of a trail, and what they make of a note.

// What they let a View show.
export { judge, type Verdict } from './judging/judge.ts';
export { trailViewRules } from './judging/trail-view-rules.ts';
// Rules, parsed once where they come in.
export { type GivenTrailRules, type KnownNames, parseTrailRules } from './rules/parse-trail-rules.ts';
export { NO_TRAIL_RULES, type TrailRules } from './rules/trail-rules.ts';
