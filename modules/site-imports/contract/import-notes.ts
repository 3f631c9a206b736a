/** A report names so many things of each kind. */
export const mostImportExamples = 20

/** Notes about an import: converted data, and data that could not be imported. */
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
  price_missing: {
    zh: '这些模型没有已知价格；设置价格之前调用会被拒绝',
    en: 'No price of these models is known; calls are refused until you set one',
  },
  price_alias: {
    zh: '这些名称是来源自己的；它们取背后模型的价格表价格：请核对',
    en: 'These names are the source’s own; they got the list price of the model behind them: check them',
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
    zh: '这里每美元对应的额度与来源不同；额度原样导入',
    en: 'Quota per dollar differs from the source; quota was imported unchanged',
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
  wallet_no_budget: {
    zh: '这些组织或团队没有预算限制；这里每个组织都有余额，因此得到了很大的余额',
    en: 'These organisations or teams had no budget limit; an organisation has a balance here, so they got a very large one',
  },
  team_alone: {
    zh: '这些团队不属于任何组织；这里由组织付费，因此每个团队成为一个单独的组织',
    en: 'These teams belonged to no organisation; here an organisation pays, so each became an organisation of its own',
  },
  organisation_no_owner: {
    zh: '这些组织没有所有者，因为还没有管理员：首次启动后再导入一次',
    en: 'These organisations have no owner, as there is no administrator yet: import once more after the first start',
  },
  member_gone: {
    zh: '这些成员在来源中没有账户，未导入',
    en: 'These members have no account in the source; they were not imported',
  },
  member_models: {
    zh: '团队成员个人的模型列表在这里不存在；请为其令牌设置模型',
    en: 'Lists of models of single members of a team do not exist here: set models for their keys',
  },
  user_role: {
    zh: '这些用户的角色在这里没有对应项，成为普通用户',
    en: 'The roles of these users do not exist here; they became ordinary users',
  },
  internal_left: {
    zh: '管理页面的登录会话和程序自己的账户不是密钥或用户，未导入',
    en: 'Sessions of the source’s own pages and its internal accounts are no keys or people; they were not imported',
  },
  email_shared: {
    zh: '这些邮箱属于多个用户，不能用于登录',
    en: 'Several users have these email addresses; nobody can sign in with them',
  },
  binding_unknown: {
    zh: '这些登录方式的绑定在这里不存在',
    en: 'Accounts linked at these providers do not exist here',
  },
  budget_limit: {
    zh: '定期重置的预算成为“限额与预算”中的金额限额，当前周期已花费的计入其中；其后的账户余额很大',
    en: 'Budgets that renew themselves became limits of money under “Limits and budgets”, with what was spent in the present period; the balance behind them is very large',
  },
  budget_rolling: {
    zh: '这些周期的预算成为同样长度的滚动窗口',
    en: 'Budgets of these periods became rolling windows of the same length',
  },
  budget_reset: {
    zh: '这些周期的预算在这里不能自动重置，余额只用一次；请在“限额与预算”中设置',
    en: 'Budgets of these periods cannot renew themselves here, the balance is for once: set them under “Limits and budgets”',
  },
  limits_full: {
    zh: '一个站点最多有 1000 个限额；这些未导入',
    en: 'A site has 1,000 limits at most; these were not imported',
  },
  limit_no_subject: {
    zh: '这些限额的对象未导入，限额也未导入',
    en: 'What these limits are for was not imported, so they were not either',
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
    zh: '这些令牌没有用户也没有团队；为它们创建了用户“service-keys”',
    en: 'These keys had neither a user nor a team; a user “service-keys” was created for them',
  },
  token_organisation: {
    zh: '这些令牌属于用户和组织而不属于团队；这里由组织付费，用户的预算不限制它们',
    en: 'These keys belonged to a user and an organisation, not to a team; here the organisation pays, and the budget of the user does not bound them',
  },
  token_hash_only: {
    zh: '这些令牌只知道哈希；可以继续使用，首次使用之前不能显示',
    en: 'Only the hashes of these keys are known; they work, and can be shown only after their first use',
  },
  token_routes: {
    zh: '这些令牌只能管理来源、不能调用模型；在这里已停用',
    en: 'These keys could only manage the source and call no models; they are off here',
  },
  token_paths: {
    zh: '仅限某些路由的令牌在这里可以使用所有路由',
    en: 'These keys could use single routes alone; they may use all of them here',
  },
  route_all: {
    zh: '这些模型名称在来源中只有部分团队或令牌可以使用；作为虚拟模型，可调用所有模型的人都可以使用它们',
    en: 'Single teams or keys alone had these names for models; as virtual models, everybody who may call every model has them',
  },
  route_left: {
    zh: '这些回退和模型别名无法用虚拟模型表示，或其模型不在数据库中，未导入',
    en: 'No virtual model can say these fallbacks and aliases, or the database does not have their models; they were not imported',
  },
  route_taken: {
    zh: '这里已有同名的虚拟模型，未导入',
    en: 'There are virtual models of these names here already; these were not imported',
  },
  routes_full: {
    zh: '一个站点最多有 2000 个虚拟模型；这些未导入',
    en: 'A site has 2,000 virtual models at most; these were not imported',
  },
  model_in_file: {
    zh: '令牌、团队、组织或回退提到了这些模型，但数据库中没有：它们在来源的配置文件中，或已不存在；请为它们创建渠道',
    en: 'Keys, teams, organisations or fallbacks name these models, and the database has none of them: they are in the source’s configuration file, or gone; make channels for them',
  },
  channel_none: {
    zh: '数据库中没有模型：它们在来源的配置文件中；请在这里创建渠道',
    en: 'The database holds no models: they are in the source’s configuration file; make their channels here',
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
  channel_wildcard: {
    zh: '这些模型名代表所有匹配的名称：请选定渠道的模型（此前渠道停用），以及提到它们的令牌和团队的模型',
    en: 'These names stand for every model that fits: choose the models of the channels, which are off until then, and of keys and teams that name them',
  },
  channel_team: {
    zh: '这些模型在来源中只有一个团队可以使用，在这里所有人都可以；渠道保持停用',
    en: 'Only one team of the source could use these models, and everybody could here; the channels are off',
  },
  channel_env_key: {
    zh: '这些渠道的密钥在来源的环境变量中；填写密钥之前渠道保持停用',
    en: 'The keys of these channels are in environment variables of the source; the channels are off until you enter them',
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
  rest_left: {
    zh: '来源的这些部分在这里没有对应项，未导入',
    en: 'These parts of the source have no counterpart here; they were not imported',
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
