import { tagsOfCall } from '../../billing/call-tags.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { plainBodyIn } from '../../dialects/plain/plain-body.ts'
import { AppError } from '../../lib/app-error.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import { withoutTwins } from '../../lib/json/twin-members.ts'
import type { Form, RelayCall } from '../../relay/call.ts'
import { unsupportedHeader } from '../../relay/exchange/printed-answer.ts'
import { withFormField } from '../../relay/forms/form-parts.ts'
import type { Caller } from '../../relay/ports.ts'
import { programByInstructions } from '../../relay/programs/program-of.ts'
import { instructionsBeginning } from '../../relay/sessions/conversation-beginning.ts'
import { sessionOf } from '../../relay/sessions/session-of.ts'
import type { CallerGroups, CallerUser } from '../ports.ts'
import { checkRequest } from '../request/check-request.ts'
import { endUserOf } from '../request/end-user.ts'
import { parseForm } from '../request/form-body.ts'
import type { RequestContext } from '../request-context.ts'
import type { Route } from '../routes.ts'
import type { ContinuedCall } from '../stored/stored-turns.ts'
import type { AdmitParts, AdmittedCall, ReceivedBody } from './admit-parts.ts'
import { admitPlain } from './admit-plain.ts'
import type { Authentication } from './authentication.ts'
import { limitedBy, passedHeaders } from './call-head.ts'
import { costAskedBy } from './cost-asked.ts'
import { fallbackOf, routedTo } from './fallback.ts'
import { fenceNames } from './fence-names.ts'

type RelayRoute = Pick<
  Extract<Route, { kind: 'relay' }>,
  'endpoint' | 'dialect' | 'model' | 'stream' | 'embeds' | 'shape' | 'fixedModel'
>

const endpointOf = (route: Route): RelayRoute => {
  if (route.kind === 'count') return { ...route, endpoint: 'conversation', stream: false }
  if (route.kind !== 'relay') throw new AppError('internal_error', { details: { reason: 'not a relay route' } })
  return route
}

type RelayBody = ReceivedBody & Pick<RelayCall, 'path'> & { readonly embeds: RelayCall['embeds'] }

/** Sets the body's model to that of its path, whatever the body names. */
const withPathModel = (received: ReceivedBody, model: string): ReceivedBody => {
  const { raw, body, form } = received
  if (body.model === model) return received
  const named =
    form === undefined ? editMembers(raw, { model: JSON.stringify(model) }) : withModelField(raw, form, model)
  return { raw: named, body: { ...body, model }, form, text: undefined }
}

const withModelField = (raw: Buffer, { contentType }: Form, model: string): Buffer =>
  withFormField(raw, contentType, 'model', model)

/** The body in the dialect in which it is checked and counted. */
const bodyOf = (context: RequestContext, received: ReceivedBody, route: RelayRoute): RelayBody => {
  const { embeds: client, shape, model, stream, fixedModel } = route
  const { raw, body, form, text, survey, plain } = fixedModel === true ? withPathModel(received, model) : received
  if (shape !== undefined) {
    const read = shape.read({ raw, body }, { model, stream })
    return { ...read, form: undefined, text: undefined, path: shape.path, embeds: undefined }
  }
  const path = context.path.startsWith('/pg/') ? `/v1/${context.path.slice(4)}` : context.path
  if (client === undefined) return { raw, body, form, text, survey, plain, path, embeds: undefined }
  const read = client.read(body, model)
  const json = Buffer.from(JSON.stringify(read.body))
  return { raw: json, body: read.body, path: '/v1/embeddings', embeds: { ...read, client, raw, path } }
}

/** Checks the request and creates the call. Model and stream are noted in `context` as soon as they are read. */
const admitted = (context: RequestContext, caller: Caller, received: ReceivedBody, parts: AdmitParts): RelayCall => {
  context.caller = caller
  const route = endpointOf(context.route)
  const { endpoint, dialect, model: pathModel, stream: pathStream } = route
  const relayed = bodyOf(context, received, route)
  const { body, path } = relayed
  const { headers } = context.request
  const { model: name, stream: bodyStream } = checkRequest({ endpoint, dialect, path }, body, pathModel)
  const stream = pathStream || bodyStream
  context.stream = stream
  const { leavesNames, channels } = parts
  const plan = parts.plans.admitted(context, caller, { kind: leavesNames ? 'written' : 'relay', name })
  const { model, options } = plan
  const fenced = fenceNames(relayed, { caller, model, query: context.query, parts: { channels, options, leavesNames } })
  const { removed } = fenced
  if (removed !== undefined) context.answerHeaders?.push(...unsupportedHeader(removed))
  const call: RelayCall = {
    id: context.id,
    startedAt: context.startedAt,
    caller,
    ip: context.ip,
    program: programByInstructions(context.program, () =>
      dialect === undefined ? '' : instructionsBeginning(dialect, fenced.body.body),
    ),
    query: parts.keys.withoutKey(context.query),
    model,
    ...(model === name ? undefined : { askedName: name }),
    stream,
    ...taggedAs(tagsOfCall(caller.tags, headers, body.metadata)),
    endUser: endUserOf(headers, body),
    endpoint,
    dialect,
    ...fenced.body,
    path,
    plan,
    ...(fenced.named === undefined ? undefined : { named: fenced.named }),
    ...(removed === undefined ? undefined : { removed }),
    accept: headers.accept,
    passed: passedHeaders(headers, dialect),
    limited: limitedBy(context, dialect),
    costAsked: costAskedBy(context, caller),
    session: sessionOf({
      scope: plan.scope,
      headers,
      body: fenced.body.body,
      dialect,
      size: fenced.body.raw.length,
    }),
  }
  const routed = routedTo({ ...call, withModel: fallbackOf(context, name, parts) }, headers, plan)
  const { requestTrace } = context
  return requestTrace === undefined ? routed : { ...routed, trace: requestTrace.forCall(routed) }
}

const untagged = {}
const taggedAs = (tags: string | undefined): Pick<RelayCall, 'tags'> => (tags === undefined ? untagged : { tags })

/**
 * Members that decide checks, token counts and prices. Only the checked value of a repeated one is forwarded, since the provider might
 * read the other.
 */
const decisive = [
  ...['model', 'messages', 'input', 'contents', 'prompt', 'instructions', 'system', 'tools'],
  ...['stream', 'store', 'background', 'deferred', 'n', 'service_tier', 'generationConfig', 'generation_config'],
]

/** The body marked as plain, or without repeated decisive members. */
const understood = (received: ReceivedBody, dialect: Dialect | undefined): ReceivedBody => {
  if (received.form !== undefined) return received
  const { text, body } = received
  const shape = dialect?.requestRules.plain
  const plain = text === undefined || shape === undefined ? undefined : plainBodyIn(shape, body, text)
  if (plain !== undefined) return { ...received, plain }
  const raw = withoutTwins(received.raw, received.body, decisive)
  return raw === received.raw ? received : { ...received, raw, text: undefined }
}

const uploads: ReadonlySet<RelayRoute['endpoint']> = new Set(['images', 'transcripts'])

/** Admits a call with a parsed body and the stored turns that it continues; synchronous where it continues none. Throws AppError. */
export const admitBody = (
  context: RequestContext,
  caller: Caller,
  received: ReceivedBody,
  parts: AdmitParts,
): AdmittedCall | Promise<AdmittedCall> => {
  const { dialect } = endpointOf(context.route)
  const { body } = received
  const came = understood(received, dialect)
  const plain = admitPlain(context, caller, came, parts)
  if (plain !== undefined) return plain
  const goingOn = dialect === undefined ? undefined : parts.turns.continued(body, caller, dialect)
  const admittedWith = (continued: ContinuedCall | undefined): AdmittedCall | Promise<AdmittedCall> => {
    const isSame = continued === undefined || continued.body === body
    const whole = isSame ? came : { raw: Buffer.from(JSON.stringify(continued.body)), body: continued.body }
    const admitWhole = (complete: ReceivedBody): AdmittedCall | Promise<AdmittedCall> => {
      const call = admitted(context, caller, complete, parts)
      const bound = parts.files?.bound(call) ?? call
      const turn = continued?.turn
      return bound instanceof Promise ? bound.then((late) => ({ call: late, turn })) : { call: bound, turn }
    }
    // Turns are stored with the names of their files.
    const complete = parts.filesInCalls?.inPlace({ context, caller, dialect }, whole) ?? whole
    return complete instanceof Promise ? complete.then(admitWhole) : admitWhole(complete)
  }
  return goingOn instanceof Promise ? goingOn.then(admittedWith) : admittedWith(goingOn)
}

/** Admits a call with a received body; synchronous unless the body is large or the call continues a stored one. Throws AppError. */
export const admit = (
  context: RequestContext,
  caller: Caller,
  bytes: Buffer,
  parts: AdmitParts,
): AdmittedCall | Promise<AdmittedCall> => {
  const { route, request } = context
  const form =
    route.kind === 'relay' && uploads.has(route.endpoint)
      ? parseForm(bytes, request.headers['content-type'])
      : undefined
  const parsed = form ?? parts.bodies.parsed(context, bytes)
  return parsed instanceof Promise
    ? parsed.then((late) => admitBody(context, caller, late, parts))
    : admitBody(context, caller, parsed, parts)
}

const playgroundGroup = (user: CallerUser, group: unknown, groups: CallerGroups): string => {
  if (typeof group !== 'string' || group === '' || group === user.group) return user.group
  if (!Object.hasOwn(groups.usable(user.group), group)) throw new AppError('group_not_allowed')
  return group
}

interface PlaygroundParts extends AdmitParts {
  readonly authentication: Pick<Authentication, 'ofUser'>
}

/** The same for the console's playground, where the body may name the group to use. */
export const admitToPlayground = async (
  context: RequestContext,
  user: CallerUser,
  parts: PlaygroundParts,
): Promise<RelayCall> => {
  const { ofUser } = parts.authentication
  context.caller = ofUser(user, user.group)
  const { raw, body, survey } = await parts.bodies.parsed(context, await parts.bodies.paid(context, context.caller))
  const { group, ...rest } = body
  const caller = ofUser(user, playgroundGroup(user, group, parts.groups))
  if (rest.model === undefined || rest.model === '') throw new AppError('model_required')
  // The group is a field between console and gateway; upstreams refuse fields that they do not know.
  const own = group === undefined ? raw : editMembers(raw, { group: undefined })
  const call = admitted(context, caller, { raw: own, body: rest, survey }, parts)
  return parts.files?.bound(call) ?? call
}
