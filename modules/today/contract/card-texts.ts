/** Sentences of cards about calls, channels, limits and money, for screens, mails and webhooks alike. */
export const cardTexts = {
  channel_disabled: { zh: '渠道“{{name}}”已被自动禁用', en: 'Channel {{name}} was disabled automatically' },
  channel_failing: {
    zh: '渠道“{{name}}”自 {{time}} 起没有成功的调用（{{calls}} 次失败）',
    en: '{{name}} has answered nothing since {{time}} ({{calls}} failed)',
  },
  channel_failing_some: {
    zh: '渠道“{{name}}”的调用失败过多（{{total}} 次中 {{calls}} 次）',
    en: '{{name}} fails too many calls ({{calls}} of {{total}})',
  },
  key_refused: {
    zh: '渠道“{{name}}”的 {{total}} 个密钥中有 {{keys}} 个被提供商拒绝',
    en: '{{name}}: the provider refuses {{keys}} of {{total}} keys',
  },
  balance_low: {
    zh: '渠道“{{name}}”在提供商的余额仅剩 {{balance}}',
    en: '{{name}} has {{balance}} left at its provider',
  },
  alone: { zh: '没有其他渠道可用的模型：{{models}}。', en: 'No other channel answers {{models}}.' },
  covered: { zh: '其全部模型仍有其他渠道可用。', en: 'Other channels answer all of its models.' },
  soldInDay: { zh: '最近 24 小时售出 {{amount}}。', en: 'It sold {{amount}} in the last 24 hours.' },
  model_ended: {
    zh: '{{name}} 已于 {{day}} 停用，仍有 {{calls}} 次调用',
    en: '{{name}} ended on {{day}} and is still called ({{calls}}×)',
  },
  model_ending: {
    zh: '{{name}} 将于 {{day}} 停用，仍有 {{calls}} 次调用',
    en: '{{name}} ends on {{day}} and is called ({{calls}}×)',
  },
  callers: { zh: '调用者：{{names}}。', en: 'Callers: {{names}}.' },
  replacedBy: { zh: '由 {{model}} 接替。', en: '{{model}} replaces it.' },
  below_cost: {
    zh: '分组“{{group}}”的 {{name}} 以低于成本 {{share}} 的价格售出：自昨日起 −{{amount}}',
    en: '{{name}} is sold to {{group}} {{share}} below cost: −{{amount}} since yesterday',
  },
  belowCostOf: { zh: '{{calls}} 次已知成本的调用。', en: '{{calls}} calls of known cost.' },
  unpriced: { zh: '{{models}} 个模型没有价格', en: '{{models}} models have no price' },
  unpricedOf: { zh: '对这些模型的调用会被拒绝：{{names}}。', en: 'Calls to them are refused: {{names}}.' },
  limit_reached: { zh: '限额“{{name}}”已用尽', en: 'Limit {{name}} is used up' },
  limit_reached_of: { zh: '“{{subject}}”的限额“{{name}}”已用尽', en: 'Limit {{name}} is used up for {{subject}}' },
  limit_ending: { zh: '限额“{{name}}”将于 {{time}} 用尽', en: 'Limit {{name}} will be used up by {{time}}' },
  limit_ending_of: {
    zh: '“{{subject}}”的限额“{{name}}”将于 {{time}} 用尽',
    en: 'Limit {{name}} will be used up for {{subject}} by {{time}}',
  },
  limitUsed: { zh: '已用 {{used}}，共 {{amount}}。', en: '{{used}} of {{amount}} used.' },
  limitBlocks: { zh: '调用会被拒绝，直到 {{time}}。', en: 'Calls are refused until {{time}}.' },
  limitBlocksForever: { zh: '调用会被拒绝，直到提高限额。', en: 'Calls are refused until the limit is raised.' },
  limitWillBlock: { zh: '此后的调用会被拒绝。', en: 'Later calls will be refused.' },
  user_refused: {
    zh: '{{name}} 因余额不足被拒绝 {{calls}} 次',
    en: '{{name}} was refused for lack of balance ({{calls}}×)',
  },
  balanceNow: { zh: '当前余额 {{amount}}。', en: 'Balance now: {{amount}}.' },
  provisional: {
    zh: '{{calls}} 次调用按暂定价格收费：{{amount}}',
    en: '{{calls}} calls were charged provisionally: {{amount}}',
  },
  provisionalOf: {
    zh: '未知的用量：{{names}}。声明价格后，多收的金额会自动退还。',
    en: 'Unknown usage: {{names}}. Once it is declared, what was too much is refunded.',
  },
  notices_waiting: { zh: '{{notices}} 条通知未能送达', en: '{{notices}} notices could not be delivered' },
  triedAgain: { zh: '会再次尝试，最多五次。', en: 'They are tried again, five times at most.' },
  key_expiring: { zh: '{{keys}} 个使用中的令牌将在三天内到期', en: '{{keys}} keys in use expire within three days' },
  keysOf: { zh: '令牌：{{names}}。', en: 'Keys: {{names}}.' },
  prices_proposed: { zh: '{{prices}} 项价格变动等待确认', en: '{{prices}} price changes wait for a decision' },
  pricesOf: { zh: '来源：{{source}}。', en: 'Source: {{source}}.' },
  records_refused: {
    zh: '数据库拒绝了 {{records}} 条调用记录',
    en: 'The database refused {{records}} records of calls',
  },
  own_refused: { zh: '{{calls}} 次调用因余额不足被拒绝', en: '{{calls}} calls were refused for lack of balance' },
  own_balance_low: {
    zh: '余额仅剩 {{amount}}，按本周用量可用 {{days}} 天',
    en: '{{amount}} left: {{days}} days at the pace of this week',
  },
  own_balance_spent: { zh: '余额已用尽', en: 'Your balance is used up' },
  own_balanceBlocks: { zh: '余额用尽后调用会被拒绝。', en: 'Calls are refused once it is used up.' },
  own_key_spent: {
    zh: '令牌“{{name}}”已用 {{used}}，共 {{amount}}',
    en: 'Key {{name}} has used {{used}} of {{amount}}',
  },
  own_keyBlocks: { zh: '预算用尽后，此令牌的调用会被拒绝。', en: 'Its calls are refused once the budget is used up.' },
  own_key_expiring: { zh: '令牌“{{name}}”将于 {{time}} 到期', en: 'Key {{name}} expires on {{time}}' },
  own_keyEnds: { zh: '到期后，此令牌的调用会被拒绝。', en: 'Its calls are refused from then on.' },
} as const
