/** One thing that does not add up. */
export interface LedgerDifference {
  /** `log`: a row of the log, by the id of its user. */
  readonly account: 'user' | 'token' | 'aff' | 'cap' | 'log'
  readonly id: number
  readonly what: string
  readonly stored: number | string
  readonly computed: number | string
  /** The request or movement, when it is about one. */
  readonly movement?: string
}
