import type { Caption } from '@tollgate/contract'
import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Name and purpose of the calls on the home page. */
export const fileCaption: Caption = {
  name: { zh: '文件', en: 'Files' },
  text: { zh: '上传一次，可用于各种接口的请求', en: 'Upload once, use in calls of any API' },
}

/** Files of clients: the calls of OpenAI, Anthropic and Gemini with which they are stored at the gateway. */
export const module = {
  areas: [],
  ownAreas: [],
  logEvents: {},
  errors: {
    invalid_file_upload: client(400, '文件上传请求无效：{detail}', 'Invalid upload of a file: {detail}'),
    upload_not_found: client(404, '上传 {id} 不存在或已结束', 'The upload {id} does not exist or has ended'),
  },
} as const satisfies ModuleData
