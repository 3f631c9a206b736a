/** One thing that does not add up. */
export interface Difference {
  readonly account: 'user' | 'token' | 'aff'
  readonly id: number
  readonly what: string
  readonly stored: number | string
  readonly computed: number | string
  /** The request or movement, when it is about one. */
  readonly movement?: string
}
