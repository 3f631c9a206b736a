import { defineMessages } from '../../lib/i18n.ts'

/** Texts about models that no option and no list prices. */
export const useUnpricedMessages = defineMessages('unpriced', {
  zh: {
    title: '{{count}} 个模型没有价格',
    text: '没有价格的模型无法调用，或暂按同系列最新模型计费。可采用价格表中名称相近的模型的价格，以后可在价格设置中修改。',
    like: '参照 {{like}}',
    input: '输入 {{price}}',
    output: '输出 {{price}}',
    noLike: '没有相近的模型',
    set: '设置价格',
    adopt: '采用',
    adoptFor: '为 {{model}} 采用 {{like}} 的价格',
    adoptAll: '全部采用（{{count}}）',
    adopted: '已设置 {{count}} 个模型的价格',
    rootOnly: '价格由超级管理员设置。',
    more: '还有 {{count}} 个',
  },
  en: {
    title_one: '1 model has no price',
    title_other: '{{count}} models have no price',
    text: 'Calls of a model without a price fail, or cost provisionally what the newest of its family does. Adopt the price of a listed model with a similar name; it can be changed in the price settings.',
    like: 'as {{like}}',
    input: 'input {{price}}',
    output: 'output {{price}}',
    noLike: 'no similar model',
    set: 'Set prices',
    adopt: 'Adopt',
    adoptFor: 'Adopt the price of {{like}} for {{model}}',
    adoptAll: 'Adopt all ({{count}})',
    adopted_one: 'Price of 1 model set',
    adopted_other: 'Prices of {{count}} models set',
    rootOnly: 'Prices are set by the super admin.',
    more: '{{count}} more',
  },
})
