import type { IncomingHttpHeaders } from 'node:http'
import { tagsHeader } from '../../billing/call-tags.ts'
import type { RelayCall } from '../../relay/call.ts'
import type { Caller } from '../../relay/ports.ts'
import { programByInstructions } from '../../relay/programs/program-of.ts'
import { beginningsOf } from '../../relay/sessions/conversation-beginning.ts'
import { sessionHeaders } from '../../relay/sessions/session-names.ts'
import { sessionByBeginning } from '../../relay/sessions/session-of.ts'
import { largestMaxTokens } from '../request/check-request.ts'
import { endUserHeader } from '../request/end-user.ts'
import type { RequestContext } from '../request-context.ts'
import type { AdmitParts, ReceivedBody } from './admit-parts.ts'
import { limitedBy, passedHeaders } from './call-head.ts'
import { includeCostHeader } from './cost-asked.ts'
import { fallbackOf } from './fallback.ts'

/** Headers by which a client says more of a call than what it asks. */
const tellingHeaders: ReadonlySet<string> = new Set([
  ...sessionHeaders,
  ...[endUserHeader, tagsHeader, includeCostHeader],
])

const tellMore = (headers: IncomingHttpHeaders): boolean => {
  for (const name in headers) if (tellingHeaders.has(name)) return true
  return false
}

/**
 * Admits a call whose body is a plain one and whose key has a plan: what such a body cannot hold is not looked for, and what the plan says is
 * not asked again. undefined for all other calls, and for those that are refused: `admitted` says the same of every call, and why.
 */
export const admitPlain = (
  context: RequestContext,
  caller: Caller,
  received: ReceivedBody,
  parts: AdmitParts,
): RelayCall | undefined => {
  const { route, request, query, requestTrace } = context
  const { plain, body } = received
  if (plain === undefined || plain.maxTokens > largestMaxTokens) return undefined
  if (route.kind !== 'relay' || route.dialect === undefined || route.playground || route.fixedModel === true)
    return undefined
  if (route.shape !== undefined || route.embeds !== undefined || route.dialect.storage?.kind === 'response')
    return undefined
  const { headers } = request
  if (query !== '' || requestTrace !== undefined || parts.leavesNames === true || tellMore(headers)) return undefined
  const { dialect } = route
  const name = typeof body.model === 'string' && body.model !== '' ? body.model : route.model
  const plan = parts.plans.of(caller, name, context.startedAt)
  if (plan === undefined || plan.virtual !== undefined || plan.fencesObjects) return undefined
  const beginnings = beginningsOf(dialect, body)
  // Without turns, which the check of the body refuses.
  if (beginnings === undefined) return undefined
  const { model } = plan
  const stream = route.stream || body.stream === true
  context.caller = caller
  context.model = model
  context.stream = stream
  return {
    id: context.id,
    startedAt: context.startedAt,
    caller,
    ip: context.ip,
    program: programByInstructions(context.program, () => beginnings.instructions),
    query,
    model,
    ...(model === name ? undefined : { askedName: name }),
    stream,
    endUser: undefined,
    endpoint: 'conversation',
    dialect,
    raw: received.raw,
    body,
    text: received.text,
    survey: received.survey,
    plain,
    path: context.path,
    plan,
    accept: headers.accept,
    passed: passedHeaders(headers, dialect),
    limited: limitedBy(context, dialect),
    costAsked: caller.includeCost === true ? { headers: context.answerHeaders } : undefined,
    session: sessionByBeginning(plan.scope, beginnings.whole, received.raw.length),
    withModel: fallbackOf(context, name, parts),
  }
}
