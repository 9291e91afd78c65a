"""Texts written for these tests, in several scripts."""

ENGLISH = (
    "The harbour lay still that morning. Old Marek mended his nets on the quay, and nobody spoke"
    " of the storm. “We have time,” he said – not much, but enough – “and the tide will wait.”\n\n"
    "By noon the wind had turned. The difficult passage between the two lighthouses, which the"
    " pilots call the Needle, is safe only at high water. Marek knew it well; his father had taught"
    " him the marks: church tower, white rock, lone pine.\n\n"
    "The harbour lay still that evening. Young Marek counted the boats, and nobody spoke of the"
    " one that was missing. In 1987 the Needle took three ships. In 1988 the Needle took two ships."
)
GERMAN = (
    "Straßenlaternen färbten den Schnee gelb. „Größe“, sagte Jürgen, „ist keine Frage des Maßes.“"
    " Die Übersetzung gefiel ihm nicht: zu glatt, zu gefällig, zu früh fertig."
)
JAPANESE = (
    "港の朝は静かだった。老人は桟橋で網を繕い、嵐のことは誰も口にしなかった。"
    "昼には風が変わり、二つの灯台の間の難しい水路は満潮のときだけ通れるようになった。"
)
ARABIC = (
    "كان الميناء هادئًا ذلك الصباح. أصلح العجوز شباكه على الرصيف ولم يتحدث أحد عن العاصفة."
    " عند الظهر تغيّرت الريح، وصار الممرّ بين المنارتين آمنًا عند المدّ فقط."
)
THAI = (
    "เช้าวันนั้นท่าเรือเงียบสงบ ชายชรานั่งซ่อมอวนอยู่ริมสะพาน และไม่มีใครพูดถึงพายุ"
    " พอถึงเที่ยงลมก็เปลี่ยนทิศ ช่องแคบระหว่างประภาคารทั้งสองจึงปลอดภัยเฉพาะเวลาน้ำขึ้น"
)
EMOJI = (
    "Day one ☀️ we sailed 🚢🌊 past the lighthouse 👩‍👩‍👧 waving. Day two ⛈️ we stayed 🏠 in port."
)
ALL = (ENGLISH, GERMAN, JAPANESE, ARABIC, THAI, EMOJI)
