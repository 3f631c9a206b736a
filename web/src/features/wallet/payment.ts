export interface Payment {
  readonly amount: number
  /** The type of one of the methods that the site offers. */
  readonly method: string
  readonly methodName: string
  /** Undefined while the price is loading; the gateway shows it as well. */
  readonly money: string | undefined
}
