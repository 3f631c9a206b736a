import { createVirtualModel, deleteVirtualModel, previewVirtualModel, updateVirtualModel } from '@tollgate/contract'
import type { JoinedModule, JoinModule, ModuleKit } from '#server/app/modules/module-kit.ts'
import { actorOf } from '#server/http/actor.ts'
import { openRulePreview } from './preview.ts'
import { createVirtualModels } from './virtual-models.ts'

/** Parts of the kit that changes of virtual models use. */
export type VirtualModelKit = Pick<
  ModuleKit,
  'database' | 'logDatabase' | 'audit' | 'clock' | 'on' | 'refreshVirtualModels'
>

/** Joins what operators do with virtual models to these parts of the kit. */
export const joinVirtualModels = (kit: VirtualModelKit): JoinedModule => {
  const { database, logDatabase, audit, clock, on, refreshVirtualModels: refresh } = kit
  const models = createVirtualModels({ database, audit, clock, refresh })
  const preview = openRulePreview(logDatabase, clock)
  on(createVirtualModel, async (call) => ({ data: await models.create(call.body, actorOf(call)) }))
  on(updateVirtualModel, async (call) => ({ data: await models.update(call.params.id, call.body, actorOf(call)) }))
  on(deleteVirtualModel, async (call) => {
    await models.remove(call.params.id, actorOf(call))
    return {}
  })
  on(previewVirtualModel, async ({ body }) => ({ data: await preview(body) }))
  return {}
}

/** Joins the operator's side of virtual models. */
export const join: JoinModule = joinVirtualModels
