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
