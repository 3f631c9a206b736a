import type { ModelList } from '../model-list.ts'

const created = '2021-07-20T00:00:00Z'

const entry = (id: string): object => ({ type: 'model', id, display_name: id, created_at: created })

/** docs.anthropic.com/en/api/models-list */
export const modelList: ModelList = {
  isAskedFor: (headers) => headers['anthropic-version'] !== undefined,
  entry,
  list: (names) => ({
    data: names.map(entry),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
}
