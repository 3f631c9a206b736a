import type { Method } from './methods.ts'

export interface Payment {
  readonly amount: number
  readonly method: Method
  /** Undefined while the price is still being asked for; the gateway shows it all the same. */
  readonly money: string | undefined
}
