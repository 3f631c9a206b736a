import { client, type ErrorText, gateway, upstream } from './error-text.ts'

/** Errors of the log, tasks and imports. */
export const recordErrors = {
  // Logs
  log_time_required: client(400, '请选择日志记录时间', 'Choose a log record time'),
  log_clearing: client(409, '日志正在清理中，请稍后再试', 'Logs are being cleared already, please try again later'),
  export_running: client(
    429,
    '已有导出正在进行，请等它完成后再试',
    'An export is under way already, try again when it has ended',
  ),

  // Files that keys store
  kept_file_not_found: client(404, '文件 {id} 不存在', 'No such File object: {id}'),
  kept_file_too_large: client(413, '文件过大，最大 {megabytes} MB', 'The file is larger than {megabytes} MB'),
  kept_files_full: client(
    403,
    '文件总量已达上限 {megabytes} MB，请先删除一些文件',
    'The files are more than {megabytes} MB together; delete some first',
  ),
  kept_files_unavailable: gateway(
    503,
    '文件存储暂时不可用，请稍后再试',
    'The storage of files is not available; try again later',
  ),
  kept_file_bytes_missing: gateway(
    500,
    '文件 {id} 的内容已不在存储位置',
    'The content of file {id} is missing where it was stored',
  ),
  kept_files_off: client(403, '本站不接受文件', 'This site takes no files'),

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
} as const satisfies Readonly<Record<string, ErrorText>>
