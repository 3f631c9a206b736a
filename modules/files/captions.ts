import type { Caption } from '@tollgate/contract'

/** Name and purpose of the calls on the home page. */
export const fileCaption: Caption = {
  name: { zh: '文件', en: 'Files' },
  text: { zh: '上传一次，可用于各种接口的请求', en: 'Upload once, use in calls of any API' },
}
