import type { Method } from '../../components/orders/methods.ts'

export interface Payment {
  readonly amount: number
  readonly method: Method
  /** Undefined while the price is loading; the gateway shows it as well. */
  readonly money: string | undefined
}
