import { integer, section } from './kinds.ts'

const permission = (zh: string, en: string) =>
  integer({
    fallback: 0,
    hidden: true,
    label: { zh, en },
    help: { zh: '无作用，仅为兼容保留', en: 'No effect, kept for compatibility' },
  })

/** Keys that older databases hold. */
export const legacy = section({
  name: 'legacy',
  tab: 'other',
  title: { zh: '旧版设置', en: 'Legacy' },
  options: {
    FileUploadPermission: permission('文件上传权限', 'File upload permission'),
    FileDownloadPermission: permission('文件下载权限', 'File download permission'),
    ImageUploadPermission: permission('图片上传权限', 'Image upload permission'),
    ImageDownloadPermission: permission('图片下载权限', 'Image download permission'),
  },
})
