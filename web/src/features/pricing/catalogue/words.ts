import { hasEnded } from '../../../components/display/status-badge.tsx'
import type { ModelCard, ModelMeasures } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import type { SayCatalogue } from './messages.ts'

/** 128000 and 131072 are 128k, 1048576 and 1000000 are 1M: as makers write the size of a context. */
export const shortTokens = (tokens: number): string => {
  if (tokens >= 950_000) return `${Number((tokens / 1_000_000).toFixed(tokens % 1_000_000 < 60_000 ? 0 : 1))}M`
  const binary = tokens % 1024 === 0 && tokens % 1000 !== 0
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / (binary ? 1024 : 1000))}k`
}

export const tokensPerSecond = (speed: number, say: SayCatalogue): string =>
  say('perSecond', { value: speed < 10 ? speed.toFixed(1) : formatInteger(Math.round(speed)) })

export const kindWord = (kind: ModelCard['kind'], say: SayCatalogue): string => (kind === '' ? '' : say(`kind_${kind}`))

/** False for models that answer with vectors or scores: there is no output to price. */
export const answersText = ({ kind }: Pick<ModelCard, 'kind'>): boolean => kind !== 'embedding' && kind !== 'rerank'

/** Inputs of a model; for models of another kind than conversations, the kind. */
export const takesText = (card: ModelCard, say: SayCatalogue): string => {
  const takes = card.takes.map((input) => say(input)).join(', ')
  return card.kind === 'chat' || card.kind === '' ? takes : kindWord(card.kind, say)
}

/** True where anything was measured. */
export const isMeasured = (measures: ModelMeasures | undefined): measures is ModelMeasures =>
  measures !== undefined && (measures.uptime !== null || measures.first_p50 !== null || measures.speed !== null)

/** Text about a model. Its maker's praise ends with it: then the model that replaces it is named, unless the operator wrote the text. */
export const aboutText = ({ description, retires, replaced_by, edited }: ModelCard, say: SayCatalogue): string => {
  if (edited || !hasEnded(retires)) return description
  return replaced_by === '' ? '' : say('endedReplaced', { model: replaced_by })
}
