import type { Client } from '../client.ts'
import { ForwardingClient } from '../forwarding-client.ts'
import { type CostFigures, costHeaders, exposedCost } from './answer-cost.ts'

const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** Client of a call whose cost is known before its answer: adds it to the headers of a success. */
export class CostHeadClient extends ForwardingClient {
  private readonly figures: CostFigures

  constructor(client: Client, figures: CostFigures) {
    super(client)
    this.figures = figures
  }

  override head(status: number, headers: readonly string[]): void {
    const more = isSuccess(status) ? [...costHeaders(this.figures), ...exposedCost] : []
    this.client.head(status, [...withoutCost(headers), ...more])
  }
}

/** Removes the cost headers of a gateway upstream, which would contradict ours. */
const withoutCost = (headers: readonly string[]): string[] =>
  headers.filter((_, at) => !/^x-tollgate-(?:cost|receipt)$/i.test(headers[at - (at % 2)] ?? ''))
