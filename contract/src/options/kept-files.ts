import { integer, section } from './kinds.ts'

export const keptFiles = section({
  name: 'files',
  tab: 'models',
  title: { zh: '文件', en: 'Files' },
  options: {
    FileMegabytes: integer({
      fallback: 100,
      min: 0,
      max: 2048,
      label: { zh: '单个文件上限（MB）', en: 'Largest file (MB)' },
      help: {
        zh: '客户端可上传的最大文件；0 表示不接受文件',
        en: 'Files that clients upload; 0 takes none',
      },
    }),
    FilesOfUserMegabytes: integer({
      fallback: 1000,
      min: 0,
      max: 10_000_000,
      label: { zh: '每个用户的文件总量（MB）', en: 'Files of a user (MB)' },
      help: {
        zh: '一个用户或组织的全部文件；0 表示不限',
        en: 'All files of a user or an organisation together; 0 for no bound',
      },
    }),
    FileDays: integer({
      fallback: 30,
      min: 0,
      max: 3650,
      label: { zh: '文件保存天数', en: 'Days to store files' },
      help: {
        zh: '到期自动删除；0 表示一直保存到被删除',
        en: 'Deleted then; 0 stores them until they are deleted',
      },
    }),
  },
})
