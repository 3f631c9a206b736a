import type { Usage } from '../../billing/usage.ts'

/** What an answer cost in tokens; `estimated` when nobody reported it. */
export interface Used {
  readonly usage: Usage
  readonly estimated: boolean
  /** What the log says besides of what was made. */
  readonly note?: string
}
