import { routedModel } from '../../billing/routed-model.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { Caller, Channels } from '../../relay/ports.ts'
import { canAnswerTo } from '../../relay/routing/channel-fence.ts'
import { withoutChannel } from '../../relay/routing/no-channel.ts'

/** Checks that the key's list of models contains the model. Throws AppError: `no_model_allowed`, `model_not_allowed`. */
export const checkModel = (caller: Caller, model: string): void => {
  const { modelLimits, forcedChannel } = caller
  if (modelLimits === undefined || forcedChannel !== undefined) return
  if (modelLimits.size === 0) throw new AppError('no_model_allowed')
  if (!modelLimits.has(model)) throw new AppError('model_not_allowed', { params: { model } })
}

/**
 * Checks that a channel serves the model, or that the forced channel is enabled. Throws the error of `lacking`, by default one that
 * tells an unknown model from an unserved one.
 */
export const checkChannel = (
  caller: Caller,
  model: string,
  channels: Channels,
  lacking: typeof withoutChannel = withoutChannel,
): void => {
  const { group, forcedChannel } = caller
  const snapshot = channels.snapshot()
  if (forcedChannel === undefined) {
    if (canAnswerTo(caller, routedModel(model), snapshot)) return
    throw lacking(group, model, snapshot)
  }
  const channel = snapshot.byId(forcedChannel)
  if (channel === undefined) throw new AppError('forced_channel_invalid')
  if (!channel.enabled) throw new AppError('forced_channel_disabled')
}

/**
 * Sessions, tasks and cached contents are made at one channel for good, so no list of models can stand for theirs. A virtual model with
 * the name of a model that channels serve leaves that model usable here. Throws AppError('virtual_model_not_here').
 */
export const checkNotVirtual = ({ group }: Caller, model: string, channels: Channels): void => {
  const snapshot = channels.snapshot()
  if (snapshot.virtual(group, model) === undefined || snapshot.serving(group, model).length > 0) return
  throw new AppError('virtual_model_not_here', { params: { model } })
}

/** UTF-16 units: what the columns that name a model hold. */
const longest = 255

/** Refuses a model name that no column holds; the error shows its beginning only. Throws AppError('invalid_text_request'). */
export const checkModelName = (model: string): void => {
  if (model.length <= longest) return
  const detail = `field model is longer than ${longest} characters: ${shortText(model)}`
  throw new AppError('invalid_text_request', { params: { detail } })
}
