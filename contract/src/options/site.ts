import { z } from 'zod'
import { role } from '../accounts/access.ts'
import { address, secret, section, text } from './kinds.ts'

export const server = section({
  name: 'server',
  tab: 'system',
  title: { zh: '服务器设置', en: 'Server' },
  options: {
    ServerAddress: address({
      fallback: '',
      status: 'server_address',
      label: { zh: '服务器地址', en: 'Server address' },
      help: {
        zh: '用于邮件链接、支付回调与聊天链接；留空时控制台使用浏览器中的地址',
        en: 'Base of mail links, payment returns and chat links; when empty the console uses the address in the browser',
      },
    }),
  },
})

export const worker = section({
  name: 'worker',
  tab: 'system',
  title: { zh: '代理设置', en: 'Worker' },
  options: {
    WorkerUrl: address({
      fallback: '',
      see: role.root,
      label: { zh: 'Worker 地址', en: 'Worker address' },
      help: {
        zh: '设置后 Webhook 与文件下载经由此 Worker 发出',
        en: 'When set, webhooks and file downloads go through this worker',
      },
    }),
    WorkerValidKey: secret({
      label: { zh: 'Worker 密钥', en: 'Worker key' },
      help: { zh: '随请求发给 Worker 的共享密钥', en: 'Shared key sent to the worker' },
    }),
  },
})

export const notice = section({
  name: 'notice',
  tab: 'other',
  title: { zh: '公告设置', en: 'Notice' },
  options: {
    Notice: text({
      fallback: '',
      long: true,
      label: { zh: '公告', en: 'Notice' },
      help: { zh: '支持 Markdown 与 HTML', en: 'Markdown or HTML' },
    }),
  },
})

export const personalization = section({
  name: 'personalization',
  tab: 'other',
  title: { zh: '个性化设置', en: 'Personalisation' },
  options: {
    SystemName: text({
      fallback: 'Tollgate',
      status: 'system_name',
      label: { zh: '系统名称', en: 'System name' },
      help: { zh: '显示在标题栏与邮件中', en: 'Shown in titles and mails' },
    }),
    Logo: text({
      fallback: '',
      status: 'logo',
      schema: z
        .string()
        .trim()
        .max(100_000)
        .regex(/^$|^\/(?!\/)\S*$|^https?:\/\/\S+$|^data:image\/\S+$/i),
      allowed: {
        zh: '空、以 / 开头的路径、http(s) 地址或 data:image/ 图片',
        en: 'Empty, a path with /, an http(s) address or a data:image/ picture',
      },
      label: { zh: 'Logo 图片地址', en: 'Logo address' },
      help: { zh: '留空使用默认图标', en: 'The built-in picture when empty' },
    }),
    HomePageContent: text({
      fallback: '',
      long: true,
      label: { zh: '首页内容', en: 'Home page' },
      help: {
        zh: '支持 Markdown 与 HTML；若为 https 链接则以 iframe 显示',
        en: 'Markdown, HTML, or an https link shown in a frame; the built-in page when empty',
      },
    }),
    About: text({
      fallback: '',
      long: true,
      label: { zh: '关于', en: 'About' },
      help: {
        zh: '支持 Markdown 与 HTML；若为 https 链接则以 iframe 显示',
        en: 'Markdown, HTML, or an https link shown in a frame',
      },
    }),
    Footer: text({
      fallback: '',
      long: true,
      status: 'footer_html',
      label: { zh: '页脚', en: 'Footer' },
      help: { zh: '支持 HTML，留空使用默认页脚', en: 'HTML; the built-in line when empty' },
    }),
  },
})
