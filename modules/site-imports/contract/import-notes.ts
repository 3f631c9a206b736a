/** A report names so many things of each kind. */
export const mostImportExamples = 20

/** Notes about an import: converted data, and data that could not be imported. */
export const importNotes = {
  table_missing: {
    zh: '来源缺少这些数据表，其数据未导入。请使用完整的数据库副本。',
    en: 'Tables missing in the source, so their data wasn’t imported. Use a full copy of its database.',
  },
  option_unknown: {
    zh: '没有对应项的设置',
    en: 'Settings with no equivalent here',
  },
  option_refused: {
    zh: '值不受支持的设置，未导入',
    en: 'Settings with unsupported values, not imported',
  },
  option_kept: {
    zh: '本站已设置的选项，未覆盖',
    en: 'Settings already set here, not overwritten',
  },
  group_pairs: {
    zh: '不支持两个分组之间的特殊倍率，这些组合按分组自己的倍率计费',
    en: 'Special ratios between two groups aren’t supported. These pairs are billed at the group’s own ratio.',
  },
  group_unknown: {
    zh: '没有倍率的分组，设置倍率前其中的令牌和用户无法调用',
    en: 'Groups without a ratio. Their keys and users can’t make calls until you set one.',
  },
  group_auto: {
    zh: '使用 auto 分组的令牌，已改用其列表中的第一个分组',
    en: 'API keys in the “auto” group, now in the first group of its list',
  },
  price_by_list: {
    zh: '来源未保存价格的模型（使用内置价格），现按价格表计费，请核对',
    en: 'Models with no stored price (the source used built-in ones). Billed at list price here, check them.',
  },
  price_missing: {
    zh: '没有价格的模型，设置价格前调用会被拒绝',
    en: 'Models without a price. Calls are rejected until you set one.',
  },
  price_alias: {
    zh: '自定义模型名，按背后模型的价格表计费，请核对',
    en: 'Custom model names, billed at the list price of the underlying model. Check them.',
  },
  price_completion: {
    zh: '补全倍率由来源程序内置的模型，现按价格表计费，请核对',
    en: 'Models whose completion ratio was built into the source. The price list applies here, check them.',
  },
  price_cache: {
    zh: '缓存倍率由来源程序内置的模型，已保存该倍率，费用不变',
    en: 'Models whose cache ratio was built into the source. It was saved here, so bills don’t change.',
  },
  price_unit: {
    zh: '每美元额度与来源不同，额度原样导入',
    en: 'Quota per dollar differs from the source; quota was imported unchanged',
  },
  user_renamed: {
    zh: '用户名已被占用，已改名导入',
    en: 'Usernames already taken, users renamed',
  },
  user_demoted: {
    zh: '本站已有超级管理员，来源的超级管理员导入为管理员',
    en: 'Root users imported as administrators, as this site has a root user',
  },
  user_no_password: {
    zh: '没有密码的用户，需通过第三方登录或重置密码',
    en: 'Users without a password. They need third-party sign-in or a password reset.',
  },
  user_no_budget: {
    zh: '没有预算限制的用户，导入时设为很大的余额',
    en: 'Users without a budget limit, imported with a very large balance',
  },
  wallet_no_budget: {
    zh: '没有预算限制的组织或团队，导入时设为很大的余额',
    en: 'Organisations or teams without a budget limit, imported with a very large balance',
  },
  team_alone: {
    zh: '不属于任何组织的团队，各导入为一个组织',
    en: 'Teams without an organisation, each imported as its own organisation',
  },
  organisation_no_owner: {
    zh: '没有所有者的组织，因为本站还没有管理员。首次启动后请再次导入。',
    en: 'Organisations without an owner, as this site has no administrator yet. Run the import again after the first start.',
  },
  member_gone: {
    zh: '在来源中没有账户的成员，未导入',
    en: 'Members without an account in the source, not imported',
  },
  member_models: {
    zh: '不支持团队成员个人的模型列表，请改为限制其令牌的模型',
    en: 'Per-member model lists aren’t supported. Restrict models on their API keys instead.',
  },
  user_role: {
    zh: '角色不受支持的用户，导入为普通用户',
    en: 'Users with unsupported roles, imported as regular users',
  },
  internal_left: {
    zh: '来源的控制台登录会话和内部账户，未导入',
    en: 'Console sessions and internal accounts of the source, not imported',
  },
  email_shared: {
    zh: '多个用户共用的邮箱，不能用于登录',
    en: 'Email addresses shared by several users, can’t be used to sign in',
  },
  binding_unknown: {
    zh: '不受支持的第三方登录绑定，未导入',
    en: 'Linked accounts of unsupported sign-in providers, not imported',
  },
  budget_limit: {
    zh: '定期重置的预算，导入为“限额与预算”中的金额限额，含当前周期已花费的金额；账户余额设为很大的值',
    en: 'Recurring budgets, imported as spend limits under “Limits and budgets”, including spend in the current period. Their balance is set very large.',
  },
  budget_rolling: {
    zh: '其他周期的预算，导入为同样时长的滚动窗口',
    en: 'Budgets with other periods, imported as rolling windows of the same length',
  },
  budget_reset: {
    zh: '周期不受支持的预算，导入为一次性余额，请在“限额与预算”中设置',
    en: 'Budgets with unsupported periods, imported as a one-time balance. Set them up under “Limits and budgets”.',
  },
  limits_full: {
    zh: '超过 1,000 个上限的限额，未导入',
    en: 'Limits over the maximum of 1,000, not imported',
  },
  limit_no_subject: {
    zh: '适用对象未导入的限额，未导入',
    en: 'Limits whose subject wasn’t imported, not imported',
  },
  token_no_owner: {
    zh: '用户已删除的令牌，未导入',
    en: 'API keys of deleted users, not imported',
  },
  token_taken: {
    zh: '本站已存在的令牌，未导入',
    en: 'API keys that already exist here, not imported',
  },
  token_team_owner: {
    zh: '没有用户和团队的令牌，归属新建的用户 service-keys',
    en: 'API keys without a user or team, assigned to the new user “service-keys”',
  },
  token_organisation: {
    zh: '属于用户和组织但不属于团队的令牌，由组织付费，不受用户预算限制',
    en: 'API keys of a user in an organisation without a team. The organisation pays; the user’s budget doesn’t apply.',
  },
  token_hash_only: {
    zh: '仅保存了哈希的令牌，可继续使用，首次使用后才能显示',
    en: 'API keys stored only as hashes. They work, but can be shown only after their first use.',
  },
  token_routes: {
    zh: '来源中仅用于管理的令牌，导入后停用',
    en: 'Management-only API keys of the source, imported as disabled',
  },
  token_paths: {
    zh: '仅限部分接口的令牌，本站不支持此限制，可使用所有接口',
    en: 'API keys limited to certain endpoints. That limit isn’t supported, so they can use all endpoints.',
  },
  route_all: {
    zh: '仅限部分团队或令牌的模型别名，导入为虚拟模型后，可调用所有模型的用户均可使用',
    en: 'Model aliases limited to certain teams or keys. As virtual models, they are available to anyone with access to all models.',
  },
  route_left: {
    zh: '虚拟模型无法表示或其模型不在数据库中的回退与别名，未导入',
    en: 'Fallbacks and aliases that virtual models can’t express, or whose models aren’t in the database, not imported',
  },
  route_taken: {
    zh: '与本站同名的虚拟模型，未导入',
    en: 'Virtual models whose names already exist here, not imported',
  },
  routes_full: {
    zh: '超过 2,000 个上限的虚拟模型，未导入',
    en: 'Virtual models over the maximum of 2,000, not imported',
  },
  model_in_file: {
    zh: '被引用但不在数据库中的模型：定义在来源的配置文件中或已删除，请为其添加渠道',
    en: 'Models in use but not in the database: defined in the source’s configuration file, or deleted. Add channels for them.',
  },
  channel_none: {
    zh: '数据库中没有模型：它们定义在来源的配置文件中，请在这里添加渠道',
    en: 'The database has no models: they are defined in the source’s configuration file. Add their channels here.',
  },
  channel_type: {
    zh: '类型不受支持的渠道，未导入',
    en: 'Channels of unsupported types, not imported',
  },
  channel_refused: {
    zh: '字段无效的渠道，未导入',
    en: 'Channels with invalid fields, not imported',
  },
  channel_fields: {
    zh: '部分设置在本站不起作用的渠道',
    en: 'Channels with settings that have no effect here',
  },
  channel_no_key: {
    zh: '缺少正确的 salt key、无法解密密钥的渠道，未导入',
    en: 'Channels whose keys can’t be decrypted without the right salt key, not imported',
  },
  channel_wildcard: {
    zh: '模型名为通配符的渠道、令牌和团队，请为其选择具体模型；渠道在此之前停用',
    en: 'Wildcard model names. Choose concrete models for these channels (disabled until then), keys and teams.',
  },
  channel_team: {
    zh: '来源中仅限一个团队使用的渠道，在本站会对所有人开放，因此已停用',
    en: 'Channels limited to one team in the source. They would be open to everyone here, so they are disabled.',
  },
  channel_env_key: {
    zh: '密钥保存在来源环境变量中的渠道，填写密钥前停用',
    en: 'Channels whose keys are in environment variables of the source. They are disabled until you enter the keys.',
  },
  code_taken: {
    zh: '本站已存在的兑换码，未导入',
    en: 'Redemption codes that already exist here, not imported',
  },
  orders: {
    zh: '充值订单不导入。已到账的金额包含在余额中，未完成的付款在来源完成。',
    en: 'Top-up orders aren’t imported. Completed payments are included in balances; pending ones complete at the source.',
  },
  passkeys: {
    zh: '通行密钥和恢复码无法导入，用户需重新设置',
    en: 'Passkeys and recovery codes can’t be imported. Users need to set them up again.',
  },
  subscriptions: {
    zh: '不支持订阅，未导入',
    en: 'Subscriptions aren’t supported, not imported',
  },
  tasks: {
    zh: '绘图与任务记录不导入',
    en: 'Drawing and task records aren’t imported',
  },
  rest_left: {
    zh: '没有对应项的其他数据，未导入',
    en: 'Other data with no equivalent here, not imported',
  },
  logs_not_wished: {
    zh: '未选择导入调用日志',
    en: 'Call logs were not selected for import',
  },
  log_types: {
    zh: '类型不受支持的日志，未导入',
    en: 'Log entries of unsupported types, not imported',
  },
} as const satisfies Readonly<Record<string, { readonly zh: string; readonly en: string }>>
export type ImportNote = keyof typeof importNotes
