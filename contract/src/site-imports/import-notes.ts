/** A report names so many things of each kind. */
export const mostImportExamples = 20

/** What people must know of an import: what came in another form, and what could not come. */
export const importNotes = {
  table_missing: {
    zh: '来源中没有这些数据表，其内容未导入；完整的数据库副本应包含它们',
    en: 'The source has no such tables, so nothing of them was imported; a whole copy of its database has them',
  },
  option_unknown: {
    zh: '这些设置在这里没有对应项',
    en: 'These settings have no counterpart here',
  },
  option_refused: {
    zh: '这些设置的值在这里不可用，未导入',
    en: 'The values of these settings cannot be used here; they were not imported',
  },
  option_kept: {
    zh: '这些设置在这里已有不同的值，未覆盖',
    en: 'These settings have other values here already; they were not overwritten',
  },
  group_pairs: {
    zh: '“用户分组使用其他分组时的倍率”在这里不存在：这些组合按分组自己的倍率计费',
    en: 'Ratios of a user group within another group do not exist here: these pairs cost what the group’s own ratio says',
  },
  group_unknown: {
    zh: '这些分组没有倍率；其中的令牌和用户在设置倍率之前不能调用',
    en: 'These groups have no ratio; keys and users in them cannot call before they get one',
  },
  group_auto: {
    zh: '这些令牌使用 auto 分组，现使用其列表中的第一个分组',
    en: 'These tokens used the group “auto”; they now use the first group of its list',
  },
  price_by_list: {
    zh: '这些模型在来源中没有保存价格（使用程序内置价格），在这里按价格表计费：请核对',
    en: 'The source stored no price of these models (its program had one built in); here they cost what the price list says: check them',
  },
  price_completion: {
    zh: '这些模型的输出倍率由来源程序内置，数据库中没有；在这里取价格表的比例：请核对',
    en: 'The completion ratio of these models was built into the source’s program and is not in its database; here the price list decides: check them',
  },
  price_cache: {
    zh: '这些模型的缓存倍率由来源程序决定；已写为明确的倍率，使账单不变',
    en: 'The cache ratio of these models was decided by the source’s program; it was written down, so that bills stay the same',
  },
  price_unit: {
    zh: '这里每单位货币的额度与来源不同；金额按来源的额度原样导入',
    en: 'A unit of currency is another number of quota units here than in the source; amounts were imported in quota units as they are',
  },
  user_renamed: {
    zh: '这些用户名在这里已被占用，用户以新名称导入',
    en: 'These names were taken here; the users have new ones',
  },
  user_demoted: {
    zh: '这里已有超级管理员；来源的超级管理员成为管理员',
    en: 'There is a root user here already; the source’s root users became administrators',
  },
  user_no_password: {
    zh: '这些用户没有密码，只能通过第三方登录或重置密码进入',
    en: 'These users have no password; they sign in elsewhere or have it reset',
  },
  user_no_budget: {
    zh: '这些用户在来源中没有预算限制；这里每个用户都有余额，因此得到了很大的余额',
    en: 'These users had no budget limit; everybody has a balance here, so they got a very large one',
  },
  user_role: {
    zh: '这些用户的角色在这里没有对应项，成为普通用户',
    en: 'The roles of these users do not exist here; they became ordinary users',
  },
  email_shared: {
    zh: '这些邮箱属于多个用户，不能用于登录',
    en: 'Several users have these email addresses; nobody can sign in with them',
  },
  binding_unknown: {
    zh: '这些登录方式的绑定在这里不存在',
    en: 'Accounts linked at these providers do not exist here',
  },
  budget_reset: {
    zh: '定期重置的预算不能导入：余额只用一次；请在“限额与预算”中设置',
    en: 'Budgets that renew themselves are not imported, the balance is for once: set them under “Limits and budgets”',
  },
  rate_limit: {
    zh: '按用户、令牌或团队的速率和并发限制不导入；请在“限额与预算”中设置',
    en: 'Limits of rate and parallel calls per user, key or team are not imported: set them under “Limits and budgets”',
  },
  token_no_owner: {
    zh: '这些令牌的用户已不存在，未导入',
    en: 'The owners of these tokens are gone; the tokens were not imported',
  },
  token_taken: {
    zh: '这些令牌的密钥在这里已存在，未导入',
    en: 'Keys like these exist here already; the tokens were not imported',
  },
  token_team_owner: {
    zh: '这些令牌没有用户；以团队名称创建了用户',
    en: 'These keys had no user; a user with the name of the team was created for them',
  },
  token_team_budget: {
    zh: '这些令牌还受团队或组织预算限制；这里只有用户和令牌的余额',
    en: 'Budgets of teams or organisations limited these keys, too; here only balances of users and keys do',
  },
  token_hash_only: {
    zh: '这些令牌只知道哈希；可以继续使用，首次使用之前不能显示',
    en: 'Only the hashes of these keys are known; they work, and can be shown only after their first use',
  },
  token_aliases: {
    zh: '按令牌的模型别名、按模型的预算和路由限制不能导入',
    en: 'Model aliases, budgets per model and route limits of keys cannot be imported',
  },
  channel_type: {
    zh: '这些渠道的类型在这里不存在，未导入',
    en: 'Channels of these types do not exist here; they were not imported',
  },
  channel_refused: {
    zh: '这些渠道的字段在这里不可用，未导入',
    en: 'Fields of these channels cannot be used here; the channels were not imported',
  },
  channel_fields: {
    zh: '这些渠道的部分设置在这里没有作用',
    en: 'Some settings of these channels have no effect here',
  },
  channel_no_key: {
    zh: '没有正确的解密密钥（salt key）就不能读取渠道密钥；这些渠道未导入',
    en: 'The keys of channels cannot be read without the right salt key; these channels were not imported',
  },
  code_taken: {
    zh: '这些兑换码在这里已存在，未导入',
    en: 'Codes like these exist here already; they were not imported',
  },
  orders: {
    zh: '充值订单不导入；已到账的部分包含在余额中，未完成的付款在来源完成',
    en: 'Top-up orders are not imported; what was paid is part of the balances, unfinished payments end at the source',
  },
  passkeys: {
    zh: '通行密钥和备用码不能导入；用户需重新添加',
    en: 'Passkeys and recovery codes cannot be imported; users add new ones',
  },
  subscriptions: {
    zh: '订阅在这里不存在，未导入',
    en: 'Subscriptions do not exist here; they were not imported',
  },
  tasks: {
    zh: '绘图和异步任务的记录不导入',
    en: 'Records of drawings and other tasks are not imported',
  },
  logs_not_wished: {
    zh: '调用日志未导入（未选择）',
    en: 'Logs of calls were not imported, as they were not asked for',
  },
  log_types: {
    zh: '这些日志类型在这里不存在',
    en: 'Log entries of these types do not exist here',
  },
} as const satisfies Readonly<Record<string, { readonly zh: string; readonly en: string }>>
export type ImportNote = keyof typeof importNotes
