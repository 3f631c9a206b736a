/** Hours of a rolling window: 31 days. */
export const longestRolling = 31 * 24

/** Counted quantities. Money is in quota units; `running` are calls under way. */
export const limitMeasures = ['requests', 'input_tokens', 'output_tokens', 'tokens', 'money', 'running'] as const
export type LimitMeasure = (typeof limitMeasures)[number]

/** Over what time. `now` is for calls under way alone; `forever` never begins anew. */
export const limitWindows = ['minute', 'hour', 'day', 'week', 'month', 'rolling', 'forever', 'now'] as const
export type LimitWindow = (typeof limitWindows)[number]

/**
 * Callers and targets whose calls are counted. A limit names one of them, or two that must both fit. `member` is the person who uses a
 * key of a project, `upstream_key` one key of a channel, `end_user` a customer of the caller as calls name it, counted apart for each
 * account, `tag` a cost tag: `name=value`, or `name` for each of its values. `deadline` parts calls by whether they state one (`limitDeadlines`).
 */
export const limitSubjects = [
  'key',
  'user',
  'team',
  'project',
  'member',
  'end_user',
  'tag',
  'group',
  'model',
  'virtual_model',
  'address',
  'deadline',
  'channel',
  'upstream_key',
] as const
export type LimitSubject = (typeof limitSubjects)[number]
export const isLimitSubject = (text: string | undefined): text is LimitSubject =>
  limitSubjects.some((kind) => kind === text)

/** Values of the subject `deadline`. A deadline that leaves no time for a cheaper lane counts as none. */
export const limitDeadlines = ['with', 'without'] as const
export const isLimitDeadline = (text: string): text is (typeof limitDeadlines)[number] =>
  limitDeadlines.some((value) => value === text)

/** Subjects that are known when a channel is chosen for a call, not before. */
export const channelSubjects: ReadonlySet<LimitSubject> = new Set(['channel', 'upstream_key'])

/**
 * `refuse` answers with 429; `fallback` goes on with another model where that can be called, and refuses elsewhere; `tell` lets
 * calls through and only sends notices.
 */
export const limitActions = ['refuse', 'fallback', 'tell'] as const
