import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Texts of the operator: Markdown, HTML, or (home page and about) an https address to show in a frame. */
export const getNotice = endpoint({
  method: 'GET',
  path: '/api/notice',
  access: 'visitor',
  summary: 'The notice',
  data: z.string(),
})

export const getAbout = endpoint({
  method: 'GET',
  path: '/api/about',
  access: 'visitor',
  summary: 'The about page',
  data: z.string(),
})

export const getHomePageContent = endpoint({
  method: 'GET',
  path: '/api/home_page_content',
  access: 'visitor',
  summary: 'The home page',
  data: z.string(),
})
