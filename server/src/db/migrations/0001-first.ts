import type { Kysely } from 'kysely'
import { createTable, hintRowsPerValue, type TableShape } from '../tables.ts'

const people: Readonly<Record<string, TableShape>> = {
  users: {
    columns: {
      id: 'id',
      username: 'key',
      password: 'key',
      display_name: 'key',
      role: 'whole',
      status: 'whole',
      email: 'key',
      github_id: 'key',
      oidc_id: 'key',
      wechat_id: 'key',
      telegram_id: 'key',
      linux_do_id: 'key',
      access_token_hash: 'key?',
      quota: 'count',
      used_quota: 'count',
      request_count: 'count',
      group: 'key',
      aff_code: 'key',
      aff_count: 'count',
      aff_quota: 'count',
      aff_history_quota: 'count',
      inviter_id: 'whole',
      deleted_at: 'whole?',
      setting: 'text',
      created_time: 'whole',
      last_login_time: 'whole',
    },
    unique: [['username'], ['access_token_hash']],
    // Empty means none in these, so they cannot be unique on every engine; whoever gives them out looks first.
    indexes: [
      ['email'],
      ['github_id'],
      ['oidc_id'],
      ['wechat_id'],
      ['telegram_id'],
      ['linux_do_id'],
      ['aff_code'],
      ['inviter_id'],
    ],
  },
  sessions: {
    columns: {
      id_hash: 'key',
      user_id: 'whole',
      created_time: 'whole',
      last_seen_time: 'whole',
      expires_time: 'whole',
      ip: 'key',
      user_agent: 'text',
    },
    primaryKey: 'id_hash',
    indexes: [['user_id'], ['expires_time']],
  },
  tokens: {
    columns: {
      id: 'id',
      user_id: 'whole',
      key_hash: 'key',
      key_cipher: 'text',
      key_hint: 'key',
      status: 'whole',
      name: 'key',
      created_time: 'whole',
      accessed_time: 'whole',
      expired_time: 'whole',
      remain_quota: 'count',
      unlimited_quota: 'whole',
      model_limits_enabled: 'whole',
      model_limits: 'text',
      allow_ips: 'text',
      used_quota: 'count',
      group: 'key',
      deleted_at: 'whole?',
    },
    unique: [['key_hash']],
    indexes: [['user_id', 'id']],
  },
}

const gateway: Readonly<Record<string, TableShape>> = {
  channels: {
    columns: {
      id: 'id',
      type: 'whole',
      key_cipher: 'text',
      key_hint: 'key',
      key_hash: 'key',
      openai_organization: 'text?',
      test_model: 'text?',
      status: 'whole',
      name: 'key',
      weight: 'whole',
      created_time: 'whole',
      test_time: 'whole',
      response_time: 'whole',
      base_url: 'text',
      other: 'text',
      balance: 'real',
      balance_updated_time: 'whole',
      models: 'text',
      group: 'text',
      used_quota: 'count',
      model_mapping: 'text?',
      status_code_mapping: 'text?',
      priority: 'whole',
      auto_ban: 'whole',
      other_info: 'text',
      tag: 'key?',
      setting: 'text?',
      param_override: 'text?',
    },
    indexes: [['tag'], ['key_hash']],
  },
  options: { columns: { key: 'key', value: 'text' }, primaryKey: 'key' },
}

const money: Readonly<Record<string, TableShape>> = {
  ledger_entries: {
    columns: {
      id: 'id',
      movement: 'key',
      account: 'key',
      account_id: 'whole',
      amount: 'whole',
      reason: 'key',
      created_at: 'whole',
      detail: 'text',
    },
    unique: [['movement', 'account', 'account_id']],
    indexes: [['account', 'account_id', 'id']],
  },
  quota_data: {
    columns: {
      id: 'id',
      user_id: 'whole',
      username: 'key',
      model_name: 'key',
      created_at: 'whole',
      token_used: 'whole',
      count: 'whole',
      quota: 'whole',
    },
    unique: [['user_id', 'model_name', 'created_at']],
    indexes: [['created_at'], ['username', 'created_at']],
  },
  redemptions: {
    columns: {
      id: 'id',
      user_id: 'whole',
      key_hash: 'key',
      key_cipher: 'text',
      status: 'whole',
      name: 'key',
      quota: 'whole',
      created_time: 'whole',
      redeemed_time: 'whole',
      used_user_id: 'whole',
      deleted_at: 'whole?',
    },
    unique: [['key_hash']],
  },
  top_ups: {
    columns: {
      id: 'id',
      user_id: 'whole',
      amount: 'whole',
      money: 'key',
      trade_no: 'key',
      create_time: 'whole',
      status: 'key',
    },
    unique: [['trade_no']],
    indexes: [['user_id', 'id']],
  },
}

const work: Readonly<Record<string, TableShape>> = {
  midjourneys: {
    columns: {
      id: 'id',
      code: 'whole',
      user_id: 'whole',
      action: 'key',
      mj_id: 'key',
      prompt: 'text',
      prompt_en: 'text',
      description: 'text',
      state: 'text',
      submit_time: 'whole',
      start_time: 'whole',
      finish_time: 'whole',
      image_url: 'text',
      status: 'key',
      progress: 'key',
      fail_reason: 'text',
      channel_id: 'whole',
      quota: 'whole',
      buttons: 'text',
      properties: 'text',
    },
    indexes: [['mj_id'], ['user_id', 'id'], ['submit_time'], ['progress']],
  },
  tasks: {
    columns: {
      id: 'id',
      created_at: 'whole',
      updated_at: 'whole',
      task_id: 'key',
      platform: 'key',
      user_id: 'whole',
      channel_id: 'whole',
      quota: 'whole',
      action: 'key',
      status: 'key',
      fail_reason: 'text',
      submit_time: 'whole',
      start_time: 'whole',
      finish_time: 'whole',
      progress: 'key',
      properties: 'text',
      data: 'text',
    },
    indexes: [['task_id'], ['user_id', 'id'], ['submit_time'], ['progress']],
  },
  audit: {
    columns: {
      id: 'id',
      created_at: 'whole',
      actor_id: 'whole',
      actor_name: 'key',
      action: 'key',
      object: 'key',
      object_id: 'key',
      before: 'text',
      after: 'text',
      ip: 'key',
    },
    indexes: [['created_at'], ['object', 'object_id'], ['actor_id', 'id']],
  },
}

/**
 * Each index serves one filter of the log page, newest first, within a span of time: read it with
 * `order by created_at desc, id desc`. Every further one costs time on each request.
 */
const logs: TableShape = {
  columns: {
    id: 'id',
    user_id: 'whole',
    created_at: 'whole',
    type: 'whole',
    content: 'text',
    username: 'key',
    token_name: 'key',
    token_id: 'whole',
    model_name: 'key',
    quota: 'whole',
    prompt_tokens: 'whole',
    completion_tokens: 'whole',
    use_time: 'whole',
    is_stream: 'whole',
    channel_id: 'whole',
    group: 'key',
    request_id: 'key',
    ip: 'key',
    other: 'text',
  },
  unique: [['request_id']],
  indexes: [
    ['created_at', 'id'],
    ['user_id', 'created_at', 'id'],
    ['type', 'created_at', 'id'],
    ['username', 'created_at', 'id'],
    ['model_name', 'created_at', 'id'],
    ['channel_id', 'created_at', 'id'],
    ['token_name', 'created_at', 'id'],
  ],
}

const rowsPerLogValue = {
  logs_user_id_created_at_id: 2_000,
  logs_username_created_at_id: 2_000,
  logs_token_name_created_at_id: 5_000,
  logs_channel_id_created_at_id: 20_000,
  logs_model_name_created_at_id: 20_000,
  logs_type_created_at_id: 200_000,
}

export const createLogs = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'logs', logs)
    await hintRowsPerValue(on, 'logs', rowsPerLogValue)
  },
}

export const createTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const [name, shape] of Object.entries({ ...people, ...gateway, ...money, ...work })) {
      await createTable(on, name, shape)
    }
    await createLogs.up(on)
  },
}
