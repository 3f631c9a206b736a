import { callWhole } from '../../lib/api.ts'
import { calls } from '../../lib/contract.ts'

/** Sends a short request through a channel; seconds that it took. Throws ApiError with the upstream's reason. */
export const testChannel = async (id: number, model = ''): Promise<number> => {
  const answer = await callWhole(calls.testChannel, { params: { id }, query: { model } })
  return Number(answer.time)
}
