import { client, type ErrorText, gateway } from './error-text.ts'

/** Errors of every kind of call to the console, its status, options and updates. */
export const generalErrors = {
  // Everywhere
  invalid_parameter: client(400, '无效的参数', 'Invalid parameter'),
  internal_error: gateway(
    500,
    '服务器内部错误，请联系管理员',
    'Internal server error, please contact the administrator',
    500,
  ),
  organisations_closed: client(403, '本站未开放创建组织', 'Users cannot found organisations on this site'),
  organisation_role_denied: client(
    403,
    '你在该组织中的角色无权进行此操作',
    'Your role in the organisation does not allow this',
  ),
  organisation_owner_needed: client(409, '组织至少需要一名所有者', 'An organisation needs at least one owner'),
  key_secret_shared: client(
    409,
    '其他人可能知道此密钥，须由使用者本人先更换密钥',
    'Others may know this key: the person who uses it has to replace it first',
  ),
  organisation_domain_foreign: client(
    403,
    '只能使用自己已验证邮箱的域名，或以 DNS 记录证明',
    'Only the domain of your own verified e-mail address can be used, or one that a DNS record proves',
  ),
  domain_record_missing: client(
    404,
    '没有找到名为 {name} 的 TXT 记录；新记录可能需要几分钟才生效',
    'There is no TXT record named {name}; a new one can take minutes to be seen',
  ),
  domain_record_other: client(
    409,
    '{name} 有 TXT 记录，但值不是此处显示的',
    'There are TXT records named {name}, but none has the value shown here',
  ),
  domain_servers_silent: client(
    504,
    '域名服务器没有应答（{reason}），请稍后重试',
    'The name servers did not answer ({reason}); try again later',
  ),
  domain_servers_refuse: client(
    502,
    '域名服务器无法回答 {name}（{reason}）',
    'The name servers could not answer for {name} ({reason})',
  ),
  invitation_invalid: client(404, '邀请链接无效或已过期', 'The invitation is not valid any more'),
  invitation_expired: client(
    410,
    '邀请链接已过期，请向邀请人索取新链接',
    'The invitation has expired; ask who invited you for a new link',
  ),
  invitation_used: client(
    410,
    '邀请链接已被使用，每个链接只能使用一次',
    'The invitation has been used; each link works once',
  ),
  invitation_of_another_address: client(
    403,
    '该邀请发给了另一个邮箱',
    'The invitation was sent to another e-mail address',
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
  bodies_full: gateway(
    503,
    '正在处理的大请求过多，服务器内存不足，请稍后再试',
    'Too many large requests are under way for the memory of this server, please try again in a moment',
  ),
  cross_origin: client(403, '请求来源不受信任', 'The request comes from another site', 403),
  demo_site: client(405, '本站仅作演示之用，无服务端！', 'This is a demo site without a server side', 405),

  // Authentication
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
  area_denied: client(
    403,
    '无权进行此操作：需要权限 {permission}',
    'You are not allowed to do this: it needs the permission {permission}',
  ),

  token_scope_denied: client(
    403,
    '无权进行此操作：此访问令牌需要权限范围 {scope}',
    'This access token may not do this: it needs the scope {scope}',
  ),
  access_token_expired: client(401, '无权进行此操作，访问令牌已过期', 'The access token has expired'),
  access_tokens_full: client(
    400,
    '访问令牌最多 {count} 个，请先撤销不用的',
    'There may be {count} access tokens: revoke one first',
  ),
  access_token_expiry_past: client(400, '过期时间必须在将来', 'The expiry must be in the future'),

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
} as const satisfies Readonly<Record<string, ErrorText>>
