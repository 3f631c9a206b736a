import {
  type BodyOf,
  createChannel,
  deleteChannel,
  putOptions,
  resetModelCard,
  saveModelCard,
  updateChannel,
} from '@tollgate/contract'
import { fieldsOf } from './channel-fields.ts'
import type { CardStep, ChannelStep, OptionStep, Plan, VirtualModelStep } from './plan.ts'
import type { SiteApi } from './site-api.ts'
import { labelsOf, readChannels, type SiteState } from './site-state.ts'
import { addVirtualModel, changeVirtualModel, removeVirtualModel } from './virtual-model-calls.ts'
import { changeOf } from './virtual-model-fields.ts'

const mostOptions = 200

const applyOptions = async (api: SiteApi, steps: readonly OptionStep[]): Promise<void> => {
  for (let from = 0; from < steps.length; from += mostOptions) {
    const changes = steps
      .slice(from, from + mostOptions)
      .map(({ key, text, was }) => ({ key, value: text, ...(was === undefined ? {} : { was }) }))
    await api.call(putOptions, { body: { changes } })
  }
}

const applyChannel = async (api: SiteApi, step: ChannelStep, { types }: SiteState): Promise<void> => {
  const { id, form, key, changed } = step
  if (form === undefined) {
    await api.call(deleteChannel, { path: `/api/channel/${id}` })
    return
  }
  const fields = fieldsOf(form, changed, types)
  if (id === undefined) {
    const body: BodyOf<typeof createChannel> = {
      ...fields,
      type: fields.type ?? 1,
      name: form.name,
      key: key ?? '',
      keys_together: true,
    }
    await api.call(createChannel, { body })
    return
  }
  await api.call(updateChannel, { body: { id, ...fields, ...(key === undefined ? {} : { key }) } })
}

const applyCard = async (api: SiteApi, { verb, model, change }: CardStep): Promise<void> => {
  if (verb !== 'delete') await api.call(saveModelCard, { body: { ...change, model } })
  else await api.call(resetModelCard, { path: `${resetModelCard.path}?model=${encodeURIComponent(model)}` })
}

const applyVirtualModel = async (
  api: SiteApi,
  { id, entry, title }: VirtualModelStep,
  idOf: (label: string) => number | undefined,
): Promise<void> => {
  const path = `/api/virtual-models/${id}`
  if (entry === undefined) {
    await api.call(removeVirtualModel, { path })
    return
  }
  const read = changeOf(entry, idOf)
  if (!read.success) throw new Error(`${title}: a channel that it names is gone.`)
  if (id === undefined) await api.call(addVirtualModel, { body: read.data })
  else await api.call(changeVirtualModel, { path, body: read.data })
}

/**
 * Makes the site as the plan says: options in one step, then one thing after the other. Channels come before the virtual models
 * that name them, and what is deleted goes in the other order. A failure leaves what was done; applying the file again goes on.
 */
export const applyPlan = async (
  api: SiteApi,
  { steps }: Plan,
  site: SiteState,
  done: (title: string) => void,
): Promise<void> => {
  const options = steps.filter((step) => step.kind === 'option')
  await applyOptions(api, options)
  for (const { title } of options) done(title)

  const channels = steps.filter((step) => step.kind === 'channel')
  const models = steps.filter((step) => step.kind === 'virtual model')
  const isDeleted = ({ verb }: { verb: string }): boolean => verb === 'delete'
  for (const step of channels.filter((entry) => !isDeleted(entry))) {
    await applyChannel(api, step, site)
    done(step.title)
  }
  for (const step of steps.filter((entry) => entry.kind === 'card')) {
    await applyCard(api, step)
    done(step.title)
  }
  const labels = models.length === 0 ? new Map() : labelsOf(await readChannels(api))
  for (const step of models) {
    await applyVirtualModel(api, step, (label) => labels.get(label)?.id)
    done(step.title)
  }
  for (const step of channels.filter(isDeleted)) {
    await applyChannel(api, step, site)
    done(step.title)
  }
}
