import { AppError } from '../lib/app-error.ts'
import { createBillingHandler, createKeyUsageHandler } from './handlers/billing.ts'
import { createCachedContentHandler } from './handlers/cached-contents.ts'
import { createClientSecretHandler } from './handlers/client-secrets.ts'
import { createCountHandler } from './handlers/count.ts'
import { type Handler, type RouteOf, withCaller } from './handlers/handler.ts'
import { createLiveTokenHandler } from './handlers/live-tokens.ts'
import { createModelHandler, createModelsHandler } from './handlers/models.ts'
import { createModuleCallHandler } from './handlers/module-calls.ts'
import { createPassthroughHandler } from './handlers/passthrough.ts'
import { createPictureHandler } from './handlers/picture.ts'
import { createRealtimeCallHandler } from './handlers/realtime-calls.ts'
import { type AnswerCall, createRelayHandler } from './handlers/relay.ts'
import { createStoredObjectHandler } from './handlers/stored-objects.ts'
import { createStoredResponseHandler } from './handlers/stored-responses.ts'
import { createTaskHandler } from './handlers/tasks.ts'
import { createUnbuiltHandler, refuseUnknown } from './handlers/unknown.ts'
import { createReceiptHandler, createReceiptKeysHandler } from './receipts/receipt-handlers.ts'
import type { Route } from './routes.ts'

/** Sessions over a WebSocket cannot be had over plain HTTP. */
const refusePlain = (): never => {
  throw new AppError('upgrade_required')
}

/** One handler for each kind of route. */
export type Handlers = { readonly [Kind in Route['kind']]: Handler<RouteOf<Kind>> }

/** Parts that the handlers together need. */
type HandlerParts = Parameters<typeof createBillingHandler>[0] &
  Parameters<typeof createCachedContentHandler>[0] &
  Parameters<typeof createClientSecretHandler>[0] &
  Parameters<typeof createCountHandler>[0] &
  Parameters<typeof createKeyUsageHandler>[0] &
  Parameters<typeof createLiveTokenHandler>[0] &
  Parameters<typeof createModelHandler>[0] &
  Parameters<typeof createModuleCallHandler>[0] &
  Parameters<typeof createModelsHandler>[0] &
  Parameters<typeof createPassthroughHandler>[0] &
  Parameters<typeof createPictureHandler>[0] &
  Parameters<typeof createRealtimeCallHandler>[0] &
  Parameters<typeof createReceiptHandler>[0] &
  Parameters<typeof createRelayHandler>[0] &
  Parameters<typeof createReceiptKeysHandler>[0] &
  Parameters<typeof createStoredObjectHandler>[0] &
  Parameters<typeof createStoredResponseHandler>[0] &
  Parameters<typeof createTaskHandler>[0] &
  Parameters<typeof createUnbuiltHandler>[0] &
  Parameters<typeof withCaller>[0]

/** Makes the handlers of all kinds of routes. */
export const createHandlers = (parts: HandlerParts, answerCall: AnswerCall): Handlers => {
  const tasks = createTaskHandler(parts)
  return {
    relay: createRelayHandler(parts, answerCall),
    models: createModelsHandler(parts),
    model: createModelHandler(parts),
    count: createCountHandler(parts),
    stored_response: createStoredResponseHandler(parts),
    stored_object: createStoredObjectHandler(parts),
    cached_content: createCachedContentHandler(parts),
    billing: createBillingHandler(parts),
    key_usage: createKeyUsageHandler(parts),
    receipt: createReceiptHandler(parts),
    receipt_keys: createReceiptKeysHandler(parts),
    module: createModuleCallHandler(parts),
    passthrough: createPassthroughHandler(parts),
    picture: createPictureHandler(parts),
    drawing: tasks,
    song: tasks,
    realtime: withCaller(parts, refusePlain),
    live: withCaller(parts, refusePlain),
    realtime_call: createRealtimeCallHandler(parts),
    client_secret: createClientSecretHandler(parts),
    live_token: createLiveTokenHandler(parts),
    unbuilt: createUnbuiltHandler(parts),
    unknown: refuseUnknown,
  }
}
