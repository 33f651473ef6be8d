/** What a key or a grant may do in a minute; 0 for no limit. A trail has reads and writes of its own. */
export interface CallLimits {
  readonly reads: number;
  readonly writes: number;
  /** Operations inside these calls: a batch has several. Of a trail too. */
  readonly operations: number;
}

/** Where nothing else is set. */
export const DEFAULT_CALL_LIMITS: CallLimits = { reads: 120, writes: 20, operations: 300 };

/** For measurements, and tests of other things. */
export const NO_CALL_LIMITS: CallLimits = { reads: 0, writes: 0, operations: 0 };
