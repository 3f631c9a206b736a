import { client, type ErrorText, gateway, upstream } from './error-text.ts'

/** Errors of the log, tasks, corrections, the inspector and reconciliation. */
export const recordErrors = {
  // Logs
  log_time_required: client(400, '请选择日志记录时间', 'Choose a log record time'),
  log_clearing: client(409, '日志正在清理中，请稍后再试', 'Logs are being cleared already, please try again later'),
  correction_not_ready: client(409, '该更正当前状态不允许此操作', 'The correction is not in a state that allows this'),
  export_running: client(
    429,
    '已有导出正在进行，请等它完成后再试',
    'An export is under way already, try again when it has ended',
  ),

  // Tasks: why one failed. Clients read these sentences in `fail_reason`.
  task_channel_gone: gateway(
    502,
    '获取渠道信息失败，请联系管理员，渠道ID：{channel}',
    'Channel {channel} of the task does not exist any more',
  ),
  task_channel_disabled: gateway(503, '该任务所属渠道已被禁用', 'The channel of the task is disabled'),
  task_not_submitted: upstream(502, '任务提交失败', 'The task could not be submitted'),
  task_timed_out: upstream(504, '上游任务超时（超过1小时）', 'The upstream took longer than an hour'),
  drawing_busy: upstream(
    429,
    '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。',
    'The upstreams of this group are busy',
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
  inspector_not_this_kind: client(
    409,
    '会话、任务和直通调用无法重新发送',
    'Sessions, tasks and direct calls cannot be sent again',
  ),
  inspector_no_sandbox: client(409, '沙箱用户不存在或已禁用', 'The sandbox user does not exist or is disabled'),

  // Reconciliation
  report_source_key: client(400, '请填写该来源的密钥', 'This source needs a key'),
  report_source_address: client(400, '请填写另一面板的地址', 'Fill in the address of the other panel'),
  report_source_file: client(400, '请选择该来源的报表文件', 'This source needs a report file'),
  report_period: client(
    400,
    '请选择起止日期，最多 {days} 天',
    'Choose the first and the last day, {days} days at most',
  ),
  import_running: client(
    409,
    '已有迁入正在进行；被强行终止的迁入两分钟后不再算作进行中',
    'An import runs already; one that was killed counts as running for two minutes',
  ),
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
    '提供商不认识这段时间的调用（询问了 {calls} 次）：请检查渠道，以及密钥是否属于同一账户',
    'The provider knows no call of this period ({calls} asked about): check the channels, and that the key is of the same account',
  ),
  report_currency: client(
    400,
    '报表的货币是 {currency}：请填写多少 {currency} 等于一美元',
    'The report is in {currency}: fill in how many {currency} make one dollar',
  ),
  report_refused: upstream(
    502,
    '提供商拒绝了该密钥（状态码 {status}）：请检查是否为管理密钥',
    'The provider refused the key (status {status}): reports need an admin key',
  ),
  report_rate_limited: upstream(502, '提供商限流，请稍后再试', 'The provider limits requests, try again later'),
  report_unreachable: upstream(502, '读取报表失败：{reason}', 'Reading the report failed: {reason_en}'),
  report_no_json: upstream(502, '提供商的报表不是 JSON', 'The report of the provider is no JSON'),
  report_pages: upstream(502, '提供商的报表超过 {pages} 页', 'The report of the provider has more than {pages} pages'),
  report_unreadable: upstream(
    502,
    '提供商的报表格式无法读取：{reason}',
    'The report of the provider cannot be read: {reason}',
  ),
  report_interrupted: gateway(500, '导入被中断，请重新导入', 'The import was interrupted, import it again'),
} as const satisfies Readonly<Record<string, ErrorText>>
