import { client, type ErrorText, gateway, upstream } from './error-text.ts'

/** Errors of keys in the console, codes and payments. */
export const moneyErrors = {
  // Tokens of the console
  token_name_required: client(400, '令牌名称不能为空', 'The token needs a name'),
  token_name_too_long: client(400, '令牌名称过长', 'The token name is too long'),
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

  // Refunds
  refund_without_charge: client(
    409,
    '该请求的费用尚未入账，入账后会自动退还',
    'The charge of this request is not recorded yet; it is given back once it is',
  ),
  refund_not_made: client(409, '退款未成功：{reason}', 'The refund was not made: {reason}'),

  // Online top-up
  topup_parameter: client(400, '参数错误', 'Wrong parameters'),
  topup_too_small: client(400, '充值数量不能小于 {least}', 'The amount must be at least {least}'),
  topup_price_too_low: client(400, '充值金额过低', 'The amount to pay is too small'),
  topup_not_configured: client(409, '当前管理员未配置支付信息', 'The administrator has not set up payments'),
  topup_order_failed: gateway(500, '创建订单失败', 'The order could not be made'),
  topup_method_unknown: client(400, '不支持的支付方式', 'This payment method is not offered'),
  topup_order_completed: client(409, '该订单已支付', 'The order is paid already'),
  topup_order_unpaid: client(409, '支付网关显示该订单尚未支付', 'The payment gateway says that the order is not paid'),
  topup_order_mismatch: client(
    409,
    '支付网关返回的订单信息与本站订单不一致',
    'What the payment gateway says does not match the order',
  ),
  topup_gateway_unreachable: upstream(502, '无法连接支付网关', 'The payment gateway cannot be reached'),
  topup_gateway_refused: upstream(502, '支付网关拒绝查询：{reason}', 'The payment gateway refused: {reason}'),
} as const satisfies Readonly<Record<string, ErrorText>>
