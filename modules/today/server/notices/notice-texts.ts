import type { TodaySums } from '@tollgate/contract'
import { type NoticeText, noButton } from '#server/features/notices/texts.ts'
import { ruleName, type StoredCard } from '../rules/rule.ts'
import { cardSentence } from './card-sentences.ts'

export interface NoticeTextParts {
  /** Option ServerAddress. */
  serverAddress(): string
  /** Quota as notices write it. */
  amountText(quota: number): string
}

/** Cards in one notice; of more only the number. */
const mostListed = 20

const linkTo = (serverAddress: string, card: string, isChinese: boolean) => {
  if (serverAddress === '') return {}
  const search = card === '' ? '' : `?${new URLSearchParams({ card })}`
  return {
    link: {
      label: isChinese ? '打开“今日”' : 'Open Today',
      url: `${serverAddress.replace(/\/+$/, '')}/today${search}`,
      otherwise: noButton(isChinese ? 'zh' : 'en'),
    },
  }
}

/** A card that appeared. One kind for each rule: limits count per kind. */
export const cardAppeared =
  (card: StoredCard, { serverAddress, amountText }: NoticeTextParts): NoticeText =>
  (language) => {
    const sentence = cardSentence(card, { language, amountText })
    const isChinese = language === 'zh'
    return {
      kind: `today_${ruleName(card)}`,
      title: isChinese ? '有一项需要处理' : 'Needs attention',
      content: '{{value}}',
      values: [sentence],
      ...linkTo(serverAddress(), card.id, isChinese),
    }
  }

/** Yesterday, and all cards of a day. */
export const dayInCards =
  (cards: readonly StoredCard[], yesterday: TodaySums, { serverAddress, amountText }: NoticeTextParts): NoticeText =>
  (language) => {
    const isChinese = language === 'zh'
    const { quota, answered, failures } = yesterday
    const first = isChinese
      ? `昨日（UTC）花费 ${amountText(quota)}，${answered + failures} 次调用，其中 ${failures} 次失败。`
      : `Yesterday (UTC): ${amountText(quota)} spent, ${answered + failures} calls, ${failures} failed.`
    const lines = cards.slice(0, mostListed).map((card) => cardSentence(card, { language, amountText }))
    const more = cards.length - lines.length
    const rest = more === 0 ? [] : [isChinese ? `另有 ${more} 项` : `and ${more} more`]
    const values = [first, ...lines, ...rest]
    return {
      kind: 'today_daily',
      title: isChinese
        ? `今日待处理事项：${cards.length} 项`
        : `${cards.length} ${cards.length === 1 ? 'item needs' : 'items need'} attention today`,
      content: values.map(() => '{{value}}').join('\n'),
      values,
      ...linkTo(serverAddress(), '', isChinese),
    }
  }
