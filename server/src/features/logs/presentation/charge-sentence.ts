import type { Language } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'

type Figures = Readonly<Record<string, unknown>>

interface Sentence {
  readonly zh: string
  readonly en: string
}

const two = (figures: Figures, name: string): string => {
  const figure = ownMember(figures, name)
  return typeof figure === 'number' ? figure.toFixed(2) : ''
}

/** The sentences that a charge with these figures may begin with, in both languages. */
const beginnings = (figures: Figures): readonly Sentence[] => {
  const [price, group] = [two(figures, 'model_price'), two(figures, 'group_ratio')]
  const [model, completion] = [two(figures, 'model_ratio'), two(figures, 'completion_ratio')]
  const [sound, soundCompletion] = [two(figures, 'audio_ratio'), two(figures, 'audio_completion_ratio')]
  return [
    { zh: `模型价格 ${price}，分组倍率 ${group}`, en: `Model price ${price}, group ratio ${group}` },
    { zh: `模型固定价格 ${price}，分组倍率 ${group}`, en: `Fixed model price ${price}, group ratio ${group}` },
    {
      zh: `模型倍率 ${model}，补全倍率 ${completion}，分组倍率 ${group}`,
      en: `Model ratio ${model}, completion ratio ${completion}, group ratio ${group}`,
    },
    {
      zh: `模型倍率 ${model}，补全倍率 ${completion}，音频倍率 ${sound}，音频补全倍率 ${soundCompletion}，分组倍率 ${group}`,
      en:
        `Model ratio ${model}, completion ratio ${completion}, audio ratio ${sound}, ` +
        `audio completion ratio ${soundCompletion}, group ratio ${group}`,
    },
  ]
}

/** Endings that may follow: the rest of a charge's sentence has no figures of its own. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/（可能是上游超时）/, ' (the upstream may have timed out)'],
  [/，操作 /, ', action '],
  [/，模型 /, ', model '],
  [/，ID /, ', ID '],
  [/, 大小 /, ', size '],
  [/, 品质 /, ', quality '],
]

/**
 * The sentence of a charge in a language. Charges are stored with their figures; where the stored Chinese sentence is the one
 * of these figures it is written anew from them, and any other stays as it is.
 */
export const chargeSentence = (content: string, figures: Figures, language: Language): string => {
  if (language === 'zh') return content
  const begun = beginnings(figures).find(({ zh }) => content.startsWith(zh))
  if (begun === undefined) return content
  return begun.en + endings.reduce((text, [zh, en]) => text.replace(zh, en), content.slice(begun.zh.length))
}
