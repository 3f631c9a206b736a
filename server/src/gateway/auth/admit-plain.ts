import type { IncomingHttpHeaders } from 'node:http'
import { tagsHeader, tagsOfCall } from '../../billing/call-tags.ts'
import type { RelayCall } from '../../relay/call.ts'
import { namesInQuery } from '../../relay/named-models/model-names-in.ts'
import type { CallPlan } from '../../relay/plan/call-plan.ts'
import type { Caller } from '../../relay/ports.ts'
import { programByInstructions } from '../../relay/programs/program-of.ts'
import { beginningsOf } from '../../relay/sessions/conversation-beginning.ts'
import { sessionHeaders } from '../../relay/sessions/session-names.ts'
import { sessionByBeginning, sessionOf } from '../../relay/sessions/session-of.ts'
import { usualQueries } from '../arrivals.ts'
import { largestMaxTokens } from '../request/check-request.ts'
import { endUserHeader, endUserOf } from '../request/end-user.ts'
import type { RequestContext } from '../request-context.ts'
import type { AdmitParts, AdmittedCall, ReceivedBody } from './admit-parts.ts'
import { limitedBy, passedHeaders } from './call-head.ts'
import { costAskedBy, includeCostHeader } from './cost-asked.ts'
import { fallbackOf } from './fallback.ts'

/** Headers with additional facts about a call: its conversation, its end user, tags, and the request for its cost. */
const tellingHeaders: ReadonlySet<string> = new Set([
  ...sessionHeaders,
  ...[endUserHeader, tagsHeader, includeCostHeader],
])

const tellMore = (headers: IncomingHttpHeaders): boolean => {
  for (const name in headers) if (tellingHeaders.has(name)) return true
  return false
}

type HeaderFacts = Pick<RelayCall, 'tags' | 'endUser' | 'costAsked' | 'session'>

/** Conversation, customer, tags and wish for the cost of a call whose headers name one of them, as `admitted` reads them. */
const headerFacts = (
  context: RequestContext,
  caller: Caller,
  { body, raw }: ReceivedBody,
  { scope }: Pick<CallPlan, 'scope'>,
): HeaderFacts => {
  const { headers } = context.request
  const { dialect } = context.route as Extract<RequestContext['route'], { kind: 'relay' }>
  const tags = tagsOfCall(caller.tags, headers)
  return {
    ...(tags === undefined ? undefined : { tags }),
    endUser: endUserOf(headers, body),
    costAsked: costAskedBy(context, caller),
    session: sessionOf({ scope, headers, body, dialect, size: raw.length }),
  }
}

/**
 * Fast path for calls with a plain body and a planned key: skips searches for features that such a body cannot have, and checks that the
 * plan contains. undefined for all other calls, and for refused ones: `admitted` decides every call in the same way, with the error.
 * Throws AppError('invalid_url') as `admitted` does, for a query that changes the call into another.
 */
export const admitPlain = (
  context: RequestContext,
  caller: Caller,
  received: ReceivedBody,
  parts: AdmitParts,
): AdmittedCall | undefined => {
  const { route, request, query, requestTrace } = context
  const { plain, body } = received
  if (plain === undefined || plain.maxTokens > largestMaxTokens) return undefined
  if (route.kind !== 'relay' || route.dialect === undefined || route.playground || route.fixedModel === true)
    return undefined
  if (route.shape !== undefined || route.embeds !== undefined) return undefined
  if (requestTrace !== undefined || parts.leavesNames === true) return undefined
  const isUsual = usualQueries.has(query)
  if (!isUsual && namesInQuery(query).length > 0) return undefined
  const { headers } = request
  const { dialect } = route
  const name = typeof body.model === 'string' && body.model !== '' ? body.model : route.model
  const plan = parts.plans.of(caller, name, context.startedAt)
  if (plan === undefined || plan.virtual !== undefined || plan.fencesObjects) return undefined
  const beginnings = beginningsOf(dialect, body)
  // Without turns, which the check of the body refuses.
  if (beginnings === undefined) return undefined
  // A plain body names neither a response nor a conversation, which would be looked up.
  const continued = dialect.storage?.kind === 'response' ? parts.turns.continued(body, caller, dialect) : undefined
  if (continued instanceof Promise) return undefined
  const { model } = plan
  const stream = route.stream || body.stream === true
  context.caller = caller
  context.model = model
  context.stream = stream
  const call: RelayCall = {
    id: context.id,
    startedAt: context.startedAt,
    caller,
    ip: context.ip,
    program: programByInstructions(context.program, () => beginnings.instructions),
    query: isUsual ? query : parts.keys.withoutKey(query),
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
    session: undefined,
    withModel: fallbackOf(context, name, parts),
    ...(tellMore(headers)
      ? headerFacts(context, caller, received, plan)
      : { session: sessionByBeginning(plan.scope, beginnings.whole, received.raw.length) }),
  }
  return { call, turn: continued?.turn }
}
