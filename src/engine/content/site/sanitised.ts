import type { Schema } from 'hast-util-sanitize';

/** Alignment is all the looks a page may choose: the rest is the site's. */
const cell = ['align', 'colSpan', 'rowSpan', 'scope'];
const player = ['src', 'width', 'height', 'loop', 'muted'];

/**
 * Everything that a page may contain; what is not named here does not get into a site. No ids and
 * names: they could stand in for variables of scripts.
 */
export const ALLOWED: Schema = {
  tagNames: (
    'a abbr audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div ' +
    'dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby ' +
    's samp section small source span strong sub summary sup table tbody td tfoot th thead time ' +
    'tr track u ul var video wbr'
  ).split(' '),
  attributes: {
    '*': ['dir', 'lang', 'title'],
    a: ['href'],
    audio: player,
    code: [['className', /^language-[\w-]{1,30}$/]],
    col: ['span'],
    colgroup: ['span'],
    details: ['open'],
    img: ['src', 'alt', 'width', 'height'],
    li: ['value'],
    ol: ['start', 'reversed', 'type'],
    source: ['src', 'type'],
    td: cell,
    th: cell,
    time: ['dateTime'],
    track: ['src', 'kind', 'srcLang', 'label', 'default'],
    video: player,
  },
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  strip: (
    'script style template noscript iframe object embed applet svg math form select textarea ' +
    'button title xmp noembed noframes'
  ).split(' '),
  ancestors: {
    tbody: ['table'],
    td: ['table'],
    th: ['table'],
    thead: ['table'],
    tfoot: ['table'],
    tr: ['table'],
  },
  clobber: [],
};
