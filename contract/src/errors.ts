import { ownMember } from './own-member.ts'
/**
 * Every error that people can meet: HTTP status, who is to blame, and its texts. `{name}` is filled from the error's
 * parameters. Texts that existing API clients match on must stay byte for byte.
 */
export interface ErrorText {
  /** Status on the relay routes; console calls answer 200 with `success: false` unless `consoleStatus` says otherwise. */
  readonly status: number
  readonly consoleStatus?: number
  readonly origin: 'client' | 'gateway' | 'upstream'
  readonly zh: string
  readonly en: string
}

const client = (status: number, zh: string, en: string, consoleStatus?: number): ErrorText => ({
  status,
  origin: 'client',
  zh,
  en,
  ...(consoleStatus === undefined ? {} : { consoleStatus }),
})
const gateway = (status: number, zh: string, en: string, consoleStatus?: number): ErrorText => ({
  ...client(status, zh, en, consoleStatus),
  origin: 'gateway',
})
const upstream = (status: number, zh: string, en: string): ErrorText => ({
  ...client(status, zh, en),
  origin: 'upstream',
})

export const errors = {
  // Everywhere
  invalid_parameter: client(400, '无效的参数', 'Invalid parameter'),
  internal_error: gateway(
    500,
    '服务器内部错误，请联系管理员',
    'Internal server error, please contact the administrator',
    500,
  ),
  not_found: client(404, '记录不存在', 'Record not found'),
  preferences_full: client(
    413,
    '保存的界面设置过多，请先删除一些',
    'Too many settings of the console are kept; remove some first',
  ),
  invalid_url: client(404, 'Invalid URL ({method} {path})', 'Invalid URL ({method} {path})', 404),
  too_many_requests: client(429, '请求次数过多，请稍后再试', 'Too many requests, please try again later', 429),
  body_too_large: client(413, '请求体过大，最大 {megabytes} MB', 'The request body is larger than {megabytes} MB', 413),
  cross_origin: client(403, '请求来源不受信任', 'The request comes from another site', 403),
  demo_site: client(405, '本站仅作演示之用，无服务端！', 'This is a demo site without a server side', 405),

  // Logs
  log_time_required: client(400, '请选择日志记录时间', 'Choose a log record time'),
  log_clearing: client(409, '日志正在清理中，请稍后再试', 'Logs are being cleared already, please try again later'),
  correction_not_ready: client(409, '该更正当前状态不允许此操作', 'The correction is not in a state that allows this'),
  export_running: client(
    429,
    '已有导出正在进行，请等它完成后再试',
    'An export is under way already, try again when it has ended',
  ),
  drawing_image_failed: upstream(502, '图片获取失败', 'The picture could not be fetched'),
  data_span_too_long: client(400, '时间跨度不能超过 1 个月', 'The time range may not be longer than a month'),
  dashboard_off: client(403, '管理员未启用数据看板', 'The dashboard is switched off by the administrator'),

  inspector_off: client(403, '调用检查已关闭', 'Inspecting calls is switched off'),
  inspector_not_pinned: client(409, '请先固定该捕获', 'Pin the capture first'),
  inspector_not_whole: client(
    409,
    '该调用没有完整保存，无法重新发送',
    'The call was not stored whole and cannot be sent again',
  ),
  inspector_no_sandbox: client(409, '沙箱用户不存在或已禁用', 'The sandbox user does not exist or is disabled'),

  // Who is calling
  not_signed_in: client(
    401,
    '无权进行此操作，未登录且未提供 access token',
    'Not signed in and no access token given',
    401,
  ),
  access_token_invalid: client(401, '无权进行此操作，access token 无效', 'The access token is not valid'),
  user_id_header_missing: client(401, '无权进行此操作，未提供 New-Api-User', 'Header New-Api-User is missing', 401),
  user_id_header_malformed: client(
    401,
    '无权进行此操作，New-Api-User 格式错误',
    'Header New-Api-User is not a number',
    401,
  ),
  user_id_header_mismatch: client(
    401,
    '无权进行此操作，New-Api-User 与登录用户不匹配',
    'Header New-Api-User is not the signed-in user',
    401,
  ),
  user_info_invalid: client(403, '无权进行此操作，用户信息无效', 'The user record is not valid'),
  user_banned: client(403, '用户已被封禁', 'The user is banned'),
  permission_denied: client(403, '无权进行此操作，权限不足', 'You are not allowed to do this'),

  // Signing in
  password_login_disabled: client(403, '管理员关闭了密码登录', 'The administrator has disabled password login'),
  credentials_missing: client(400, '用户名或密码为空', 'Username or password is empty'),
  credentials_wrong: client(
    401,
    '用户名或密码错误，或用户已被封禁',
    'Wrong username or password, or the user is banned',
  ),
  login_throttled: client(
    429,
    '登录尝试过于频繁，请 {seconds} 秒后再试',
    'Too many login attempts, try again in {seconds} s',
    429,
  ),
  default_password_remote: client(
    403,
    '默认密码仅允许从本机或内网登录，请设置 INITIAL_ROOT_PASSWORD 或在本机修改密码',
    'The default password works only from this machine or a private network; set INITIAL_ROOT_PASSWORD or change it locally',
  ),

  // Second factor, passkeys, sessions
  confirmation_required: client(403, '请先验证身份', 'Please confirm that it is you'),
  confirmation_impossible: client(403, '无法验证身份，请重新登录', 'Please sign in again to confirm that it is you'),
  second_factor_wrong: client(401, '验证码错误或已被使用', 'The code is wrong or was used already'),
  second_factor_throttled: client(
    429,
    '验证尝试过于频繁，请 {seconds} 秒后再试',
    'Too many attempts, try again in {seconds} s',
    429,
  ),
  second_step_expired: client(401, '登录已超时，请重新登录', 'The sign-in took too long, please start again'),
  second_factor_on: client(409, '两步验证已启用', 'Two-step verification is on already'),
  second_factor_off: client(409, '两步验证未启用', 'Two-step verification is off'),
  passkey_failed: client(401, '通行密钥验证失败，请重试', 'The passkey could not be verified, please try again'),
  passkey_unknown: client(401, '此通行密钥未绑定任何可用账户', 'No usable account has this passkey'),
  passkey_taken: client(409, '此通行密钥已被添加', 'This passkey was added already'),
  passkey_limit: client(409, '最多可添加 {count} 个通行密钥', 'An account has at most {count} passkeys'),
  passkey_elsewhere: client(
    400,
    '当前访问地址无法使用通行密钥，请通过 {address} 访问',
    'Passkeys of this site work only at {address}',
  ),
  passkey_insecure: client(400, '通行密钥需要通过 HTTPS 域名访问本站', 'Passkeys need a host name and HTTPS'),

  // Registration, mail, password reset
  registration_disabled: client(403, '管理员关闭了新用户注册', 'The administrator has disabled registration'),
  password_registration_disabled: client(
    403,
    '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
    'The administrator has disabled registration with a password, please use a third-party account',
  ),
  email_code_required: client(
    400,
    '管理员开启了邮箱验证，请输入邮箱地址和验证码',
    'E-mail verification is on: enter your address and the code',
  ),
  verification_code_wrong: client(400, '验证码错误或已过期', 'The code is wrong or has expired'),
  email_invalid: client(400, '无效的邮箱地址', 'Invalid e-mail address'),
  email_taken: client(409, '邮箱地址已被占用', 'The e-mail address is taken'),
  email_domain_refused: client(
    403,
    "The administrator has enabled the email domain name whitelist, and your email address is not allowed due to special symbols or it's not in the whitelist.",
    "The administrator has enabled the email domain name whitelist, and your email address is not allowed due to special symbols or it's not in the whitelist.",
  ),
  email_alias_refused: client(
    403,
    '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝。',
    'The administrator does not accept e-mail aliases: your address has special signs before the @',
  ),
  email_too_soon: client(429, '请 {seconds} 秒后再获取', 'Please wait {seconds} s before asking again'),
  reset_link_invalid: client(400, '重置链接非法或已过期', 'The reset link is not valid or has expired'),
  password_too_long: client(
    400,
    '输入不合法：密码长度不得大于 {count} 位！',
    'A password has at most {count} characters',
  ),
  passwords_differ: client(400, '两次输入的密码不一致', 'The two passwords differ'),
  last_sign_in: client(
    409,
    '这是唯一的登录方式，请先设置密码',
    'This is the only way to sign in; set a password first',
  ),
  identity_taken: client(409, '该账户已被绑定', 'This account is linked to somebody else'),
  mail_not_configured: gateway(500, 'SMTP 服务器未配置', 'No SMTP server is configured'),
  mail_account_invalid: gateway(500, 'invalid SMTP account', 'invalid SMTP account'),
  mail_failed: gateway(502, '邮件发送失败，请稍后重试', 'The mail could not be sent, please try again later'),
  mail_test_failed: client(502, '邮件发送失败：{reason}', 'The mail could not be sent: {reason}'),
  turnstile_missing: client(403, 'Turnstile token 为空', 'The human check is missing'),
  turnstile_failed: client(
    403,
    'Turnstile 校验失败，请刷新重试！',
    'The human check failed, please reload and try again',
  ),
  turnstile_unreachable: gateway(
    502,
    'Turnstile 服务暂时无法访问，请稍后重试',
    'The human check cannot be reached, please try again later',
  ),
  turnstile_misconfigured: gateway(
    500,
    'Turnstile 配置有误，请联系管理员',
    'The human check is set up wrongly, please contact the administrator',
  ),

  // Accounts elsewhere; `name` and `account` bring their own blanks
  oauth_state_wrong: client(403, 'state is empty or not same', 'state is empty or not same', 403),
  oauth_address_unknown: client(
    400,
    '请管理员先在系统设置中填写服务器地址',
    'The administrator has to fill in the server address first',
  ),
  third_party_disabled: client(
    403,
    '管理员未开启通过{name}登录以及注册',
    'The administrator has not enabled sign-in with {name_en}',
  ),
  third_party_refused: client(400, '{text}', '{text}'),
  third_party_unreachable: upstream(
    502,
    '无法连接至{name}服务器，请稍后重试！',
    'Could not reach the server of {name_en}, please try again later',
  ),
  third_party_taken: client(409, '该{account}已被绑定', 'This {name_en} account is linked to somebody else'),
  third_party_cancelled: client(403, '用户已注销', 'The user is cancelled'),
  third_party_nameless: gateway(503, '用户名分配失败，请重试', 'No free username was found, please try again'),
  github_profile_empty: upstream(
    502,
    '返回值非法，用户字段为空，请稍后重试！',
    'The answer of GitHub names no user, please try again later',
  ),
  linuxdo_code_missing: client(400, 'invalid code', 'invalid code'),
  linuxdo_unreachable: upstream(502, 'failed to connect to Linux DO server', 'failed to connect to Linux DO server'),
  linuxdo_token_failed: upstream(502, 'failed to get access token: {reason}', 'failed to get access token: {reason}'),
  linuxdo_user_failed: upstream(502, 'failed to get user info from Linux DO', 'failed to get user info from Linux DO'),
  linuxdo_user_empty: upstream(502, 'invalid user info returned', 'invalid user info returned'),
  oidc_token_failed: upstream(
    502,
    'OIDC 获取 Token 失败，请检查设置！',
    'OIDC gave no token, please check the settings',
  ),
  oidc_user_failed: upstream(
    502,
    'OIDC 获取用户信息失败！请检查设置！',
    'OIDC gave no user information, please check the settings',
  ),
  oidc_user_empty: upstream(
    502,
    'OIDC 获取用户信息为空！请检查设置！',
    'The user information of OIDC is empty, please check the settings',
  ),
  telegram_invalid: client(400, '无效的请求', 'Invalid request'),
  telegram_unbound: client(404, '该 Telegram 账户未绑定', 'This Telegram account is not linked to anybody'),
  binding_missing: client(404, '尚未绑定', 'Nothing is linked'),

  // Users
  username_taken: client(409, '用户名已存在，或已注销', 'The username exists already'),
  username_invalid: client(
    400,
    '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @',
    'A username has 1 to 12 characters without spaces or @',
  ),
  password_invalid: client(400, '输入不合法：密码长度不得小于 8 位！', 'A password has at least 8 characters'),
  display_name_invalid: client(400, '输入不合法：显示名称最多 20 个字符', 'A display name has at most 20 characters'),
  original_password_wrong: client(403, '原密码错误', 'The current password is wrong'),
  user_not_found: client(404, '用户不存在', 'The user does not exist'),
  user_read_denied: client(403, '无权获取同级或更高等级用户的信息', 'No access to users of the same or a higher level'),
  user_create_denied: client(403, '无法创建权限大于等于自己的用户', 'Cannot create a user of equal or higher level'),
  user_update_denied: client(
    403,
    '无权更新同权限等级或更高权限等级的用户信息',
    'Cannot change users of the same or a higher level',
  ),
  user_raise_denied: client(
    403,
    '无权将其他用户权限等级提升到大于等于自己的权限等级',
    'Cannot raise others to your own level or above',
  ),
  user_delete_denied: client(
    403,
    '无权删除同权限等级或更高权限等级的用户',
    'Cannot delete users of the same or a higher level',
  ),
  promote_denied: client(403, '普通管理员用户无法提升其他用户为管理员', 'Only the super admin can promote to admin'),
  already_admin: client(409, '该用户已经是管理员', 'The user is an admin already'),
  already_user: client(409, '该用户已经是普通用户', 'The user is an ordinary user already'),
  root_disable_denied: client(403, '无法禁用超级管理员用户', 'The super admin cannot be disabled'),
  root_delete_denied: client(403, '无法删除超级管理员用户', 'The super admin cannot be deleted'),
  root_demote_denied: client(403, '无法降级超级管理员用户', 'The super admin cannot be demoted'),
  user_cancelled: client(409, '该用户已注销', 'The user is cancelled'),
  group_unknown: client(400, '分组 {group} 不存在', 'Group {group} does not exist'),
  balance_too_small: client(409, '余额不足，无法扣减', 'The balance is too small for this change'),

  // Own account
  root_self_delete_denied: client(403, '不能删除超级管理员账户', 'The super admin account cannot be deleted'),
  aff_transfer_minimum: client(
    400,
    '划转失败 转移额度最小为{amount}！',
    'Transfer failed: the smallest amount is {amount_en}',
  ),
  aff_quota_short: client(409, '划转失败 邀请额度不足！', 'Transfer failed: invitations have not earned that much'),
  notify_type_invalid: client(400, '无效的预警类型', 'The notification method must be email or webhook'),
  warning_threshold_invalid: client(400, '预警阈值必须大于0', 'The warning threshold must be above 0'),
  webhook_url_missing: client(400, 'Webhook地址不能为空', 'The webhook address is missing'),
  webhook_url_invalid: client(400, '无效的Webhook地址', 'The webhook address must be an https address'),
  notification_email_invalid: client(400, '无效的邮箱地址', 'The e-mail address is not valid'),
  notice_target_missing: client(409, '没有可用的通知地址，请先填写', 'There is no address to send notices to'),
  notice_test_too_soon: client(429, '测试过于频繁，请稍后再试', 'Please wait a moment before the next test'),
  notice_failed: client(502, '发送失败：{reason}', 'Sending failed: {reason_en}'),

  // Status
  database_unreachable: gateway(503, '数据库连接失败', 'The database does not answer', 503),

  // Options
  option_unknown: client(400, '未知的配置项 {key}', 'Unknown option {key}'),
  option_invalid: client(400, '配置项 {key} 的值无效：{reason}', 'The value of option {key} is not valid: {reason_en}'),
  option_requires: client(400, '{text}', '{text_en}'),
  option_changed: client(
    409,
    '配置项 {key} 已被他人修改，请核对后重新保存',
    'Option {key} was changed by somebody else; look at it and save again',
  ),
  options_refused: client(400, '保存失败，请重试', 'Nothing was saved, please try again'),

  // Updates
  releases_failed: client(502, '检查更新失败，请稍后再试', 'The check for updates failed, please try again later'),

  // Channels
  channel_not_found: client(404, '渠道未找到，请刷新页面后重试。', 'Channel not found, please refresh the page.'),
  virtual_model_not_found: client(404, '虚拟模型不存在，请刷新页面', 'No such virtual model; read the page again'),
  virtual_model_taken: client(409, '已有名为 {name} 的虚拟模型', 'There is a virtual model named {name} already'),
  virtual_models_full: client(409, '最多可有 {most} 个虚拟模型', 'There can be {most} virtual models at most'),
  virtual_model_invalid: client(400, '{reason}', '{reason_en}'),
  channel_invalid: client(400, '{reason}', '{reason}'),
  channel_type_unusable: client(
    400,
    '渠道类型 {type} 暂不支持：{reason}',
    'Channel type {type_en} cannot be used: {reason_en}',
  ),
  channel_name_key_required: client(400, '请填写渠道名称和渠道密钥！', 'The channel needs a name and a key'),
  channel_models_required: client(400, '请至少选择一个模型！', 'Choose at least one model'),
  channel_model_too_long: client(400, '模型名称过长: {model}', 'The model name is too long: {model}'),
  channel_address_invalid: client(
    400,
    'API地址必须以 http:// 或 https:// 开头',
    'The base URL must start with http:// or https://',
  ),
  channel_field_required: client(400, '请填写{field}', 'Fill in {field_en}'),
  channel_mapping_loop: client(400, '模型重定向存在循环：{loop}', 'The model mapping runs in a circle: {loop}'),
  channel_mapping_invalid: client(
    400,
    '模型映射必须是合法的 JSON 格式！',
    'The model mapping must be a JSON object of names',
  ),
  channel_status_mapping_invalid: client(
    400,
    '状态码复写必须是合法的 JSON 格式，且状态码在 100 到 599 之间！',
    'The status code mapping must be a JSON object of status codes from 100 to 599',
  ),
  channel_setting_invalid: client(
    400,
    '渠道额外设置必须是合法的 JSON 格式！',
    'The extra settings must be a JSON object',
  ),
  channel_proxy_invalid: client(
    400,
    '代理地址必须是 http、https 或 socks5 地址',
    'The proxy must be an http, https or socks5 address',
  ),
  channel_override_invalid: client(
    400,
    '参数覆盖必须是合法的 JSON 格式！',
    'The parameter override must be a JSON object',
  ),
  channel_region_required: client(400, '部署地区不能为空', 'The region must not be empty'),
  channel_region_default: client(400, '部署地区必须包含default字段', 'The regions must contain the key default'),
  channel_key_required: client(400, '请填写密钥', 'Fill in the key'),
  tag_required: client(400, 'tag不能为空', 'The tag must not be empty'),
  channel_test_failed: upstream(502, '{reason}', '{reason_en}'),
  channel_test_running: client(409, '测试已在运行中', 'The test is running already'),
  channel_key_not_found: client(404, '密钥未找到，请刷新页面后重试。', 'Key not found, please refresh the page.'),
  channel_key_single: client(
    400,
    '该类型的渠道只能有一个密钥，请编辑渠道来替换',
    'A channel of this type has a single key; edit the channel to replace it',
  ),
  channel_key_last: client(400, '渠道至少需要一个密钥', 'A channel needs at least one key'),
  channel_rotation_invalid: client(
    400,
    'key_rotation 必须是 random 或 round_robin',
    'key_rotation must be random or round_robin',
  ),
  channel_bills_aborted_invalid: client(
    400,
    'bills_aborted 必须是 true 或 false',
    'bills_aborted must be true or false',
  ),
  channel_cache_marks_invalid: client(400, 'cache_marks 必须是 off、5m 或 1h', 'cache_marks must be off, 5m or 1h'),
  channel_cost_invalid: client(400, 'cost 不是有效的上游成本设置', 'cost is no valid setting of upstream costs'),
  channel_headers_invalid: client(
    400,
    'header_override 必须是请求头名称到值的 JSON 对象，且不含 Host、Content-Length 等连接相关的请求头',
    'header_override must be a JSON object of header names and values, without headers of the connection such as Host or Content-Length',
  ),
  channel_passthrough_invalid: client(
    400,
    'passthrough 必须含 groups、keys、paths 与 price 中的有效设置',
    'passthrough must be a valid setting of groups, keys, paths and price',
  ),
  balance_unsupported: client(400, '尚未实现', 'This channel type tells no balance'),
  balance_failed: upstream(502, '余额查询失败：{reason}', 'Asking for the balance failed: {reason_en}'),
  balance_running: client(409, '余额更新已在运行中', 'The balances are being updated already'),
  fetch_models_failed: upstream(502, '获取模型列表失败：{reason}', 'Fetching the model list failed: {reason_en}'),
  address_blocked: client(400, '地址 {host} 不允许访问', 'Address {host} is not allowed'),
  port_blocked: client(400, '端口 {port} 不允许访问', 'Port {port} is not allowed'),

  // Reconciliation
  report_source_key: client(400, '请填写该来源的密钥', 'This source needs a key'),
  report_source_address: client(400, '请填写另一面板的地址', 'Fill in the address of the other panel'),
  report_source_file: client(400, '请选择该来源的报表文件', 'This source needs a report file'),
  report_period: client(
    400,
    '请选择起止日期，最多 {days} 天',
    'Choose the first and the last day, {days} days at most',
  ),
  import_running: client(409, '已有迁入正在进行', 'An import runs already'),
  import_source_invalid: client(
    400,
    '请填写 mysql:// 或 postgres:// 地址，或上传 SQLite 文件',
    'Fill in an address that begins with mysql:// or postgres://, or upload a SQLite file',
  ),
  report_running: client(409, '该来源的这段时间正在导入', 'This source and period are being imported already'),
  report_too_large: client(
    413,
    '报表文件超过 {megabytes} MB，请按月或按产品拆分后导入',
    'The report file is larger than {megabytes} MB; split it by month, or export only the AI services',
  ),
  report_too_long: client(
    413,
    '报表超过 {lines} 行，请缩短时间范围',
    'The report has more than {lines} lines; choose a shorter period',
  ),
  report_columns: client(400, '报表缺少列：{columns}', 'The report has no column {columns}'),
  report_line: client(
    400,
    '报表第 {line} 行的 {column} 无法读取',
    'Line {line} of the report: {column} cannot be read',
  ),
  report_empty: client(400, '报表中没有可以对账的行', 'The report has no lines to reconcile'),
  report_no_calls: upstream(
    502,
    '服务商不认识这段时间的调用（询问了 {calls} 次）：请检查渠道，以及密钥是否属于同一账户',
    'The provider knows no call of this period ({calls} asked about): check the channels, and that the key is of the same account',
  ),
  report_currency: client(
    400,
    '报表的货币是 {currency}：请填写多少 {currency} 等于一美元',
    'The report is in {currency}: fill in how many {currency} make one dollar',
  ),
  report_refused: upstream(
    502,
    '服务商拒绝了该密钥（状态码 {status}）：请检查是否为管理密钥',
    'The provider refused the key (status {status}): reports need an admin key',
  ),
  report_rate_limited: upstream(502, '服务商限流，请稍后再试', 'The provider limits requests, try again later'),
  report_unreachable: upstream(502, '读取报表失败：{reason}', 'Reading the report failed: {reason_en}'),
  report_unreadable: upstream(
    502,
    '服务商的报表格式无法读取：{reason}',
    'The report of the provider cannot be read: {reason}',
  ),
  report_interrupted: gateway(500, '导入被中断，请重新导入', 'The import was interrupted, import it again'),

  // Tokens of the console
  token_name_required: client(400, '令牌名称不能为空', 'The token needs a name'),
  token_name_too_long: client(400, '令牌名称过长', 'The token name is too long'),
  too_many_alerts: client(409, '告警数量已达上限：{max} 个', 'You have reached the limit of {max} alerts'),
  alert_not_found: client(404, '告警不存在', 'The alert does not exist'),
  too_many_tokens: client(409, '令牌数量已达上限：{max} 个', 'You have reached the limit of {max} tokens'),
  token_enable_expired: client(
    409,
    '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
    'The token has expired; change its expiry first',
  ),
  token_enable_exhausted: client(
    409,
    '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
    'The token is exhausted; raise its quota first',
  ),
  token_models_too_long: client(400, '模型限制列表过长', 'The list of allowed models is too long'),
  token_ips_invalid: client(400, 'IP 白名单第 {line} 行无效', 'Line {line} of the IP list is not valid'),

  // Redemption codes
  redemption_name_length: client(400, '兑换码名称长度必须在1-20之间', 'The name of a code has 1 to 20 characters'),
  redemption_count_low: client(400, '兑换码个数必须大于0', 'The number of codes must be above 0'),
  redemption_count_high: client(400, '一次兑换码批量生成的个数不能大于 100', 'At most 100 codes can be made at once'),
  redemption_quota_low: client(400, '兑换码额度必须大于0', 'The quota of a code must be above 0'),
  redemption_expiry_past: client(400, '过期时间不能早于当前时间', 'The expiry lies in the past'),
  redemption_locked: client(409, '只能编辑未使用的兑换码', 'Only unused codes can be edited'),
  redemption_spent: client(409, '已使用的兑换码不能更改状态', 'The status of a used code cannot change'),
  redemption_key_missing: client(400, '未提供兑换码', 'No redemption code given'),
  redemption_key_invalid: client(400, '兑换失败，无效的兑换码', 'Redeeming failed: the code is not valid'),
  redemption_key_used: client(409, '兑换失败，该兑换码已被使用', 'Redeeming failed: the code was used already'),
  redemption_key_expired: client(409, '兑换失败，该兑换码已过期', 'Redeeming failed: the code has expired'),
  redemption_throttled: client(
    429,
    '兑换尝试过于频繁，请 {seconds} 秒后再试',
    'Too many attempts to redeem, try again in {seconds} s',
  ),

  // Online top-up
  topup_parameter: client(400, '参数错误', 'Wrong parameters'),
  topup_too_small: client(400, '充值数量不能小于 {least}', 'The amount must be at least {least}'),
  topup_price_too_low: client(400, '充值金额过低', 'The amount to pay is too small'),
  topup_not_configured: client(409, '当前管理员未配置支付信息', 'The administrator has not set up payments'),
  topup_order_failed: gateway(500, '创建订单失败', 'The order could not be made'),
  topup_order_unpaid: client(409, '支付网关显示该订单尚未支付', 'The payment gateway says that the order is not paid'),
  topup_order_mismatch: client(
    409,
    '支付网关返回的订单信息与本站订单不一致',
    'What the payment gateway says does not match the order',
  ),
  topup_gateway_unreachable: upstream(502, '无法连接支付网关', 'The payment gateway cannot be reached'),
  topup_gateway_refused: upstream(502, '支付网关拒绝查询：{reason}', 'The payment gateway refused: {reason}'),

  // API-token authentication
  token_missing: client(401, '未提供令牌', 'No token given'),
  token_invalid: client(401, '无效的令牌', 'Invalid token'),
  token_exhausted: client(
    401,
    '该令牌额度已用尽 TokenStatusExhausted[sk-{hint}]',
    'The token quota is exhausted [sk-{hint}]',
  ),
  token_expired: client(401, '该令牌已过期', 'The token has expired'),
  token_disabled: client(401, '该令牌状态不可用', 'The token is disabled'),
  token_spent: client(
    401,
    '[sk-{hint}] 该令牌额度已用尽 !token.UnlimitedQuota && token.RemainQuota = {remain}',
    'The token quota is used up [sk-{hint}], remaining {remain}',
  ),
  token_channel_denied: client(403, '普通用户不支持指定渠道', 'Ordinary users cannot choose a channel'),
  ip_not_allowed: client(403, '您的 IP 不在令牌允许访问的列表中', 'Your IP is not on the list of this token'),
  token_group_disabled: client(403, '令牌分组 {group} 已被禁用', 'The token group {group} is disabled'),
  group_deprecated: client(403, '分组 {group} 已被弃用', 'Group {group} is no longer used'),
  forced_channel_invalid: client(400, '无效的渠道 Id', 'Invalid channel id'),
  forced_channel_disabled: client(403, '该渠道已被禁用', 'The channel is disabled'),
  passthrough_denied: client(
    403,
    '该令牌不能直通此渠道的这个路径',
    'This token may not call this path of this channel directly',
  ),
  passthrough_unpriced: client(
    403,
    '此路径的用量无法读取，而该渠道没有设置直通的单次价格',
    'The usage of this path cannot be read, and the channel has no price per call for it',
  ),
  model_not_allowed: client(403, '该令牌无权访问模型 {model}', 'The token has no access to model {model}'),
  no_model_allowed: client(403, '该令牌无权访问任何模型', 'The token has no access to any model'),
  access_token_not_supported: client(400, '暂不支持使用 access token', 'Access tokens are not supported here'),
  group_not_allowed: client(403, '无权访问该分组', 'No access to this group'),
  model_required: client(400, '请选择模型', 'Choose a model'),

  // Relay; the key is the `code` that clients see
  invalid_request_body: client(400, 'Invalid request, 无效的请求, {detail}', 'Invalid request, {detail}'),
  body_too_complex: client(
    400,
    '请求体过于复杂：{what}不能超过 {limit}',
    'The request body is too complex: at most {limit} {what_en} are accepted',
    400,
  ),
  invalid_text_request: client(400, '{detail}', '{detail}'),
  invalid_embedding_request: client(400, '{detail}', '{detail}'),
  invalid_image_request: client(400, '{detail}', '{detail}'),
  invalid_audio_request: client(400, '{detail}', '{detail}'),
  invalid_query: client(400, 'query is empty', 'query is empty'),
  invalid_documents: client(400, 'documents is empty', 'documents is empty'),
  sensitive_words_detected: client(400, 'sensitive words detected', 'sensitive words detected'),
  session_limit_reached: client(
    400,
    '会话已达到上限（{limit}），不再继续；请开始新的会话',
    'This session has reached its limit ({limit}) and was stopped; start a new one',
  ),
  session_loop_stopped: client(
    400,
    '会话重复了同样的工具调用并得到同样的结果 {times} 次，已停止；请开始新的会话',
    'This session made the same tool call with the same result {times} times and was stopped; start a new one',
  ),
  sensitive_words_in_answer: client(
    400,
    '生成内容包含屏蔽词，已停止；已生成的部分照常计费',
    'The answer held a blocked word and was stopped; what was produced is billed',
  ),
  no_available_channel: gateway(
    503,
    '当前分组 {group} 下对于模型 {model} 无可用渠道',
    'No available channel for model {model} in group {group}',
  ),
  credentials_failed: gateway(
    502,
    '上游凭证无效或无法获取',
    'The credentials of the upstream are not valid or could not be fetched',
  ),
  fields_lost: client(
    400,
    '模型 {model} 的渠道无法表达这些字段：{fields}',
    'No channel of model {model} can express these fields: {fields}',
  ),
  response_not_found: client(404, "Response with id '{id}' not found.", "Response with id '{id}' not found."),
  previous_response_not_found: client(
    400,
    "Previous response with id '{id}' not found.",
    "Previous response with id '{id}' not found.",
  ),
  stored_object_not_found: client(404, "{noun} with id '{id}' not found.", "{noun} with id '{id}' not found."),
  storing_off: client(
    403,
    '分组 {group} 不保存回答与对话',
    'Responses and conversations of group {group} are not stored',
  ),
  state_not_kept: client(
    400,
    '此令牌没有保存过 {field} 所指的内容，请在 input 中给出完整对话',
    'What {field} names is not stored for this key; give the whole conversation in input',
  ),
  thread_not_kept: client(
    404,
    'thread 只能由保存它的渠道继续，请重新给出完整对话',
    'Only the channel that keeps a thread can continue it; give the whole conversation again',
  ),
  endpoint_not_served: gateway(501, '模型 {model} 的渠道不支持 {path}', 'No channel of model {model} supports {path}'),
  api_not_implemented: gateway(501, 'API not implemented', 'API not implemented'),
  model_mapped_error: gateway(500, '模型映射无效：{detail}', 'The model mapping is not valid: {detail}'),
  price_source_failed: client(502, '无法读取价格来源：{reason}', 'The price source could not be read: {reason}'),
  price_source_unknown: client(400, '文件不是任何已知格式的价格表', 'The file is no price list of a known shape'),
  price_version_settled: client(
    409,
    '该版本已处理，请刷新页面',
    'This version has been decided on already; read the page again',
  ),
  price_version_stale: client(
    409,
    '此提案之后价格已改变（{model}），请重新同步',
    'Prices have changed since this proposal ({model}); compare with the source again',
  ),
  price_decisions_missing: client(
    400,
    '还有 {count} 项变更需要逐一决定',
    '{count} changes are held back and need a decision each',
  ),
  price_version_not_undoable: client(
    409,
    '该版本已被之后的版本取代，无法撤销',
    'Later versions have taken the place of this one; it cannot be undone',
  ),
  model_price_error: gateway(
    500,
    '模型 {model} 倍率或价格未配置{advice}；Model {model} ratio or price not set, please {advice_en}',
    'Model {model} ratio or price not set, please {advice_en}',
  ),
  insufficient_user_quota: client(403, '{detail}', '{detail}'),
  pre_consume_token_quota_failed: client(
    403,
    'token quota is not enough, token remain quota: {remain}, need quota: {need}',
    'token quota is not enough, token remain quota: {remain}, need quota: {need}',
  ),
  model_not_found: client(404, "The model '{model}' does not exist", "The model '{model}' does not exist"),
  rate_limited_total: client(
    429,
    '您已达到总请求数限制：{minutes}分钟内最多请求{count}次，包括失败次数，请检查您的请求是否正确',
    'You have reached the limit of {count} requests in {minutes} min, failed ones included',
  ),
  rate_limited_success: client(
    429,
    '您已达到请求数限制：{minutes}分钟内最多请求{count}次',
    'You have reached the limit of {count} requests in {minutes} min',
  ),
  client_gone: client(499, '客户端已断开', 'The client has gone'),
  do_request_failed: upstream(502, '请求上游地址失败', 'Could not reach the upstream'),
  upstream_timeout: upstream(504, '上游响应超时', 'The upstream did not answer in time'),
  upstream_broke: upstream(502, '上游连接中断', 'The upstream broke off'),
  bad_response_status_code: upstream(502, 'bad response status code {status}', 'bad response status code {status}'),
  bad_response_body: upstream(502, '上游返回了无法解析的内容', 'The upstream sent an unreadable answer'),
  empty_answer: upstream(502, '上游没有返回任何内容', 'The upstream answered without any content'),
  upstream_overloaded: upstream(
    429,
    '当前分组上游负载已饱和，请稍后再试',
    'The upstreams of this group are busy, please try again later',
  ),
  recording_failed: gateway(
    503,
    '暂时无法记账，请稍后再试',
    'The call cannot be recorded right now, please try again later',
  ),
  record_still_refused: client(
    409,
    '数据库仍然拒绝这条记录：{reason}',
    'The database still refuses this record: {reason}',
  ),
  upgrade_required: client(426, '该接口需要通过 WebSocket 连接', 'This address takes WebSocket connections only'),
  realtime_webrtc_not_implemented: gateway(
    501,
    '暂不支持电话（SIP）会话、对进行中通话的控制与翻译会话（无法在此计费），请使用 /v1/realtime、client_secrets 或 calls',
    'Calls by telephone (SIP), calls about a running call and translations are not available, because they cannot be metered here; use /v1/realtime, client_secrets or calls',
  ),
  gemini_live_not_implemented: gateway(
    501,
    '暂不支持 Gemini Live API（BidiGenerateContent）',
    'The Gemini Live API (BidiGenerateContent) is not available here',
  ),
  session_idle: client(408, '会话长时间没有动静，已关闭', 'Nothing was said for too long, the session is closed'),
  client_too_slow: client(408, '客户端接收过慢，会话已关闭', 'The client reads too slowly, the session is closed'),
  shutting_down: gateway(503, '服务正在重启，请稍后再试', 'The server is restarting, please try again'),
} as const satisfies Record<string, ErrorText>

export type ErrorCode = keyof typeof errors
export type Language = 'zh' | 'en'

/** Fills `{name}` places; a missing parameter leaves the place empty. */
export const errorText = (
  code: ErrorCode,
  language: Language,
  params: Readonly<Record<string, string | number>> = {},
): string => errors[code][language].replace(/\{(\w+)\}/g, (_, name: string) => String(ownMember(params, name) ?? ''))
