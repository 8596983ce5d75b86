/** Sets a flag in the page, should any of it ever run. */
const RUN = "window.ran=1";

/** Texts that become markup, a script, a style or a template where they are not escaped. */
const MARKUP = [
  `<script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src=https://evil.example/1.js></script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `</script><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src=https://evil.example/2.png>`,
  `"><img src=x onerror="${RUN}">`,
  `'><img src=x onerror='${RUN}'>`,
  `" onmouseover="${RUN}" autofocus onfocus="${RUN}`,
  `' onfocus='${RUN}' autofocus='`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext><img src=x onerror=${RUN}></mtext></math>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object>`,
  `<embed src=https://evil.example/3>`,
  `<a href="javascript:${RUN}">abrir</a>`,
  `<form action=https://evil.example/4><button>enviar</button></form>`,
  `<base href=https://evil.example/>`,
  `<meta http-equiv=refresh content="0;url=https://evil.example/5">`,
  `<link rel=stylesheet href=https://evil.example/6.css>`,
  `<style>@import "https://evil.example/7.css"</style>`,
  `<div style="background:url(https://evil.example/8.png)">`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<body onload=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<template><script>${RUN}</script></template>`,
  "${window.ran=1}",
  "{{constructor.constructor('window.ran=1')()}}",
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `![x](javascript:${RUN}) [y](https://evil.example/9)`,
  `\u202e<script>\u2066${RUN}\u2069</script>\u200b`,
];

/** Addresses that must never become a link of ours. */
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `javascript://bank.example/%0a${RUN}`,
  `javascript:${RUN}//https://bank.example`,
  `data:text/html,<script>${RUN}</script>`,
  `data:text/html;base64,PHNjcmlwdD53aW5kb3cucmFuPTE8L3NjcmlwdD4=`,
  `vbscript:${RUN}`,
  "blob:https://bank.example/1",
  "file:///etc/passwd",
  "//evil.example/x",
  "\\\\evil.example\\x",
  "http://bank.example/plain",
  "https://bank.example@evil.example/",
  "https://user:password@bank.example/",
];

/** One in so many is enough for a run of all stories: a way out of each context that a page has. */
const ONE_OF = 6;

/** `PAYLOADS=all` puts every one of them into every field. */
export const PAYLOADS: readonly string[] = [...MARKUP, ...ADDRESSES].filter(
  (_, place) => process.env["PAYLOADS"] === "all" || place % ONE_OF === ONE_OF - 1,
);
