import { ownMember } from '@tollgate/contract/own-member'
import type { CostAsked } from '../../relay/call.ts'
import type { Caller } from '../../relay/ports.ts'
import type { RequestContext } from '../request-context.ts'

/** Asks for the cost in the answer, or, with `false`, for an answer without it where the key has it by default. */
export const includeCostHeader = 'x-tollgate-include-cost'

/** undefined for nearly all calls. */
export const costAskedBy = (
  { request, answerHeaders }: Pick<RequestContext, 'request' | 'answerHeaders'>,
  caller: Caller,
): CostAsked | undefined => {
  const asked = ownMember(request.headers, includeCostHeader)
  const isAsked = asked === undefined ? caller.includeCost === true : /^(?:true|1)$/i.test(String(asked).trim())
  return isAsked ? { headers: answerHeaders } : undefined
}
