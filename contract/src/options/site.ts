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
        zh: '本站的公开地址，用于邮件链接、支付回调、提供商任务回调与聊天链接。留空时控制台使用浏览器中的地址。',
        en: 'Public URL of this site. Used in email links, callbacks of payments and of providers’ jobs, and chat links. Empty: the console uses the browser’s address.',
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
      label: { zh: 'Worker URL', en: 'Worker URL' },
      help: {
        zh: 'Webhook 与文件下载经由此 Worker 发出',
        en: 'Sends webhooks and file downloads through this worker',
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
  title: { zh: '公告', en: 'Announcement' },
  options: {
    Notice: text({
      fallback: '',
      long: true,
      label: { zh: '公告', en: 'Announcement' },
      help: { zh: '支持 Markdown 与 HTML', en: 'Markdown or HTML' },
    }),
  },
})

export const personalization = section({
  name: 'personalization',
  tab: 'other',
  title: { zh: '个性化设置', en: 'Branding' },
  options: {
    SystemName: text({
      fallback: 'Tollgate',
      status: 'system_name',
      label: { zh: '系统名称', en: 'Site name' },
      help: { zh: '显示在页面标题与邮件中', en: 'Shown in page titles and emails' },
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
        zh: '留空、以 / 开头的路径、http(s) URL 或 data:image/ 图片',
        en: 'Empty, a path starting with /, an http(s) URL or a data:image/ URI',
      },
      label: { zh: 'Logo URL', en: 'Logo URL' },
      help: { zh: '留空使用默认图标', en: 'Empty: the default logo' },
    }),
    HomePageContent: text({
      fallback: '',
      long: true,
      label: { zh: '首页内容', en: 'Home page' },
      help: {
        zh: '支持 Markdown、HTML，或以 iframe 显示的 https 链接；留空使用默认页面',
        en: 'Markdown, HTML, or an https link shown in an iframe. Empty: the default page.',
      },
    }),
    About: text({
      fallback: '',
      long: true,
      label: { zh: '关于', en: 'About' },
      help: {
        zh: '支持 Markdown、HTML，或以 iframe 显示的 https 链接',
        en: 'Markdown, HTML, or an https link shown in an iframe',
      },
    }),
    Footer: text({
      fallback: '',
      long: true,
      status: 'footer_html',
      label: { zh: '页脚', en: 'Footer' },
      help: { zh: '支持 HTML，留空使用默认页脚', en: 'HTML. Empty: the default footer.' },
    }),
  },
})
