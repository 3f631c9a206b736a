import type { RelayChannel } from '../ports.ts'
import { bareId } from './collections.ts'
import { nameText, type ObjectName } from './ports.ts'

/** Kinds of models that one account has made, by the beginning of their names: by fine-tuning at OpenAI and Mistral, and at Google. */
const beginnings = [
  [/^ft:/i, 'models'],
  [/^tunedModels\//i, 'tuned_models'],
] as const

/** The fine-tuned model that a name means; undefined for a public one. A checkpoint is its model. */
export const madeModelOf = (model: string): ObjectName | undefined => {
  const kind = beginnings.find(([beginning]) => beginning.test(model))?.[1]
  return kind === undefined ? undefined : { kind, id: bareId(kind, model) }
}

/** True if a channel offers a made model, so that it needs no known maker. */
export const offersModel = ({ models }: Pick<RelayChannel, 'models'>, name: ObjectName): boolean => {
  if (!beginnings.some(([, kind]) => kind === name.kind)) return false
  for (const model of models) {
    const offered = madeModelOf(model)
    if (offered !== undefined && nameText(offered) === nameText(name)) return true
  }
  return false
}
