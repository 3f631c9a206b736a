import {
  deleteCapture,
  getCapture,
  getOwnInspection,
  listCaptures,
  listInspections,
  pinCapture,
  replayCapture,
  startInspection,
  stopInspection,
} from '@tollgate/contract'
import { rankedActorOf } from '#server/http/actor.ts'
import type { On } from '#server/http/route.ts'
import type { Inspector } from './inspector.ts'

/** Inspections for administrators, and what users learn of them. */
export const inspectorRoutes = (on: On, inspector: Inspector): void => {
  on(listInspections, async (call) => ({ data: await inspector.list(rankedActorOf(call)) }))
  on(startInspection, async (call) => ({ data: await inspector.start(rankedActorOf(call), call.body) }))
  on(stopInspection, async (call) => {
    await inspector.stop(rankedActorOf(call), call.params.id)
    return {}
  })
  on(getOwnInspection, async ({ caller }) => ({ data: await inspector.own(caller.id) }))
  on(listCaptures, async (call) => ({ data: await inspector.captures(rankedActorOf(call), call.query) }))
  on(getCapture, async (call) => ({ data: await inspector.capture(rankedActorOf(call), call.params.id) }))
  on(pinCapture, async (call) => {
    await inspector.pin(rankedActorOf(call), call.params.id, call.body.pinned)
    return {}
  })
  on(deleteCapture, async (call) => {
    await inspector.remove(rankedActorOf(call), call.params.id)
    return {}
  })
  on(replayCapture, async (call) => ({
    data: { id: await inspector.replay(rankedActorOf(call), call.params.id, call.body) },
  }))
}
