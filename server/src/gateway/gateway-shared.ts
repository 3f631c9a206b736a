import { createDirectFence } from '../relay/direct/direct-fence.ts'
import { createFileFence } from '../relay/direct/file-fence.ts'
import { createSessionHandles } from '../relay/realtime/live/session-handles.ts'
import { createAuthentication } from './auth/authentication.ts'
import { createClientSecrets } from './auth/client-secrets.ts'
import { createKeyFinder } from './auth/key-of.ts'
import { createLiveTokens } from './auth/live-tokens.ts'
import { createBodies } from './bodies/bodies.ts'
import { bodyBoundsOf } from './bodies/parsed-body.ts'
import { createFilesInCalls } from './files/files-in-calls.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { createCallPlans } from './plan/call-plans.ts'
import { createFailureSender } from './response/send-failure.ts'
import { openSocketPlaces } from './sockets/socket-places.ts'
import { createStoredTurns } from './stored/stored-turns.ts'

/** Opens the parts of the gateway that its handlers and its sessions share. */
export const openGatewayShared = (parts: GatewayParts) => {
  const keys = createKeyFinder(parts.dialects)
  const bounds = bodyBoundsOf(parts.dialects)
  const authentication = createAuthentication({ ...parts, keys })
  const failures = createFailureSender(parts)
  const turns = createStoredTurns(parts)
  const bodies = createBodies({ ...parts, bounds })
  const clientSecrets = createClientSecrets(parts.secrets, keys)
  const liveTokens = createLiveTokens(parts.secrets, parts.sessionCounts)
  const sessionHandles = createSessionHandles(parts.secrets)
  // Messages of WebSockets are as large as bodies.
  const maxRequestBytes = Math.min(parts.maxRequestBytes, parts.keptMemory.largest)
  const places = openSocketPlaces(parts.keptMemory)
  const ofSessions = { clientSecrets, liveTokens, sessionHandles, places }
  const plans = createCallPlans(parts)
  const directFence = createDirectFence(parts)
  const files = createFileFence(parts)
  const filesInCalls = createFilesInCalls({ ...parts, bodies, maxRequestBytes })
  return {
    ...parts,
    bounds,
    plans,
    directFence,
    files,
    filesInCalls,
    maxRequestBytes,
    keys,
    bodies,
    authentication,
    failures,
    turns,
    ...ofSessions,
  }
}
